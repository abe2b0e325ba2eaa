"""What acts are made of: the act as such, the answer to a dialog, a file."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

# Bytes of one file, and of all files of an upload: Playwright carries no more than 50 MiB, and a
# form that the data plane would not read to its end shows as a connection that broke.
UPLOAD_LIMIT = 20_000_000
FILES_LIMIT = 45_000_000


AcceptDialog = Annotated[
    bool | str,
    Field(
        description=(
            "Whether to accept a dialog that this brings up (it is dismissed otherwise), "
            "or the text to answer a prompt with."
        ),
    ),
]


class Act(BaseModel):
    """An act without an element."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    act: str

    @property
    def answer(self) -> bool | str:
        """What to do with a dialog that the act brings up."""
        answer: bool | str = getattr(self, "accept_dialog", False)
        return answer


class File(BaseModel):
    """A file to upload: its content as text, or as base64."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, max_length=200, pattern=r"^[^/\\\x00]+$")
    media_type: str = Field(default="application/octet-stream", max_length=120)
    text: str | None = Field(default=None, max_length=UPLOAD_LIMIT)
    base64: str | None = Field(default=None, max_length=UPLOAD_LIMIT * 4 // 3 + 4)

    @model_validator(mode="after")
    def _one_content(self) -> File:
        if (self.text is None) == (self.base64 is None):
            raise ValueError("a file has text or base64")
        if self.size > UPLOAD_LIMIT:
            raise ValueError(f"a file has at most {UPLOAD_LIMIT} bytes")
        return self

    @property
    def size(self) -> int:
        """How many bytes it has; of base64 that is none, at most so many."""
        if self.text is not None:
            return len(self.text.encode(errors="replace"))
        return len(self.base64 or "") * 3 // 4


def _not_too_much(files: list[File]) -> list[File]:
    if sum(file.size for file in files) > FILES_LIMIT:
        raise ValueError(f"all files together have at most {FILES_LIMIT} bytes")
    return files


Files = Annotated[list[File], Field(min_length=1, max_length=10), AfterValidator(_not_too_much)]
