"""Measures of text: variety, repetition, slips."""

from __future__ import annotations

import lzma
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from clones.core.randomness import seeded
from seeds.measures.statistics import quantile
from seeds.text.typos import misspellings

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
TOKEN = re.compile(r"\S+")
QUOTE_STARTS = (
    r">.*",
    r"On .{10,200}wrote:",
    r"-----Original Message-----",
    r"_{20,}",
    r"From: .*<.*@.*>",
    r"-------- Original message --------",
    r"\d\d\.\d\d\.\d{4}, \d\d:\d\d, \".*",
    r"\w{3}, \d\d \w{3} \d{4} .* from .*",
    r"##- Please type.*",
    r"---------- Forwarded message -+",
)
QUOTE = re.compile(rf"^ *(?:{'|'.join(QUOTE_STARTS)})\s*$", re.MULTILINE)
SENT_FROM = re.compile(r"^Sent from .*$", re.MULTILINE)
DELIMITER = re.compile(r"^(?:-- ?|_____|- - -|--)$", re.MULTILINE)
SIGN_OFFS = (
    "kind regards; best regards; regards; best; thanks; cheers; many thanks; all the best;"
    " yours; yours sincerely; warm regards; sincerely; rgds; br; kr; ta; best wishes; with"
    " best regards; thank you; greetings; mit freundlichen grüßen; viele grüße; beste grüße;"
    " lg; cordialement; bien à vous; bien cordialement; salutations; un saludo; saludos;"
    " atentamente; met vriendelijke groet; groeten; mvg; groetjes; cordiali saluti; saluti;"
    " distinti saluti; cumprimentos; atenciosamente"
).split("; ")
SIGN_OFF = re.compile(rf"^(?:{'|'.join(SIGN_OFFS)}),?$", re.MULTILINE | re.IGNORECASE)
CODES = re.compile(r"\S*[\d@/\\_]\S*|\S+\.(?:example|dxf|svg|pdf|ai|kst|eps|txt|log|dll)\S*")


def new_text(body: str) -> str:
    """Return what a message says itself: quotes, signature and device lines cut."""
    cut = len(body)
    for pattern in (QUOTE, DELIMITER, SIGN_OFF, SENT_FROM):
        found = pattern.search(body)
        if found and found.start() > 0:
            cut = min(cut, found.start())
    return body[:cut].strip()


def has_quote(body: str) -> bool:
    """Tell whether a message carries quoted history."""
    found = QUOTE.search(body)
    return found is not None and found.start() > 0


def without_codes(text: str) -> str:
    """Return a text without numbers, identifiers, hosts, addresses and file names."""
    return CODES.sub(" ", text)


def tokens(text: str) -> list[str]:
    """Return the lower-case tokens of a text, punctuation stripped."""
    found = (token.strip(".,;:!?()\"'“”*-<>[]") for token in TOKEN.findall(text.lower()))
    return [token for token in found if token]


def cut_words(text: str, count: int = 60) -> str:
    """Return the first words of a text."""
    return " ".join(TOKEN.findall(text)[:count])


def hapax_share(texts: Iterable[str]) -> float:
    """Return the share of the vocabulary that occurs once."""
    counts = Counter(token for text in texts for token in tokens(text))
    return sum(1 for count in counts.values() if count == 1) / max(len(counts), 1)


def distinct(texts: Iterable[str], size: int = 3) -> float:
    """Return distinct n-grams over all n-grams."""
    seen: set[tuple[str, ...]] = set()
    total = 0
    for text in texts:
        words = tokens(text)
        for start in range(len(words) - size + 1):
            seen.add(tuple(words[start : start + size]))
            total += 1
    return len(seen) / max(total, 1)


def xz_ratio(texts: Iterable[str]) -> float:
    """Return how many times smaller the texts are when compressed together."""
    raw = "\n".join(texts).encode()
    return len(raw) / len(lzma.compress(raw, preset=6))


def neighbours(texts: Sequence[str], sample: int = 400, seed: int = 5) -> tuple[float, float]:
    """Return (median of the best 3-gram Jaccard with another text, share over a half)."""
    grams = [
        frozenset(zip(words, words[1:], words[2:], strict=False)) for words in map(tokens, texts)
    ]
    grams = [gram for gram in grams if len(gram) > 4]
    index: dict[tuple[str, str, str], list[int]] = {}
    for place, gram in enumerate(grams):
        for item in gram:
            index.setdefault(item, []).append(place)
    chosen = seeded(f"neighbours|{seed}").sample(range(len(grams)), min(sample, len(grams)))
    best = []
    for place in chosen:
        shared: Counter[int] = Counter()
        for item in grams[place]:
            shared.update(other for other in index[item] if other != place)
        top = 0.0
        for other, common in shared.most_common(40):
            top = max(top, common / (len(grams[place]) + len(grams[other]) - common))
        best.append(top)
    return quantile(best, 0.5), sum(1 for value in best if value > 0.5) / len(best)


def misspelled_per_thousand(texts: Iterable[str], vocabulary: frozenset[str]) -> float:
    """Return listed misspellings per 1,000 words; forms that are words themselves do not count."""
    wrong = {form.lower() for forms in misspellings().values() for form in forms} - vocabulary
    words = 0
    slips = 0
    for text in texts:
        for word in WORD.findall(text):
            words += 1
            slips += word.lower() in wrong
    return 1000 * slips / max(words, 1)


def log_sigma(values: Iterable[float]) -> float:
    """Return the standard deviation of the values' logarithms."""
    logs = [math.log(value) for value in values if value > 0]
    mean = sum(logs) / len(logs)
    return math.sqrt(sum((value - mean) ** 2 for value in logs) / len(logs))


def near_duplicate_groups(tags: Iterable[str]) -> int:
    """Return how many groups of tags differ by spelling only: case, joints, plural, one letter."""
    groups: dict[str, set[str]] = {}
    for tag in tags:
        key = re.sub(r"[^a-z0-9]", "", tag.lower())
        key = re.sub(r"(?:ed|s|e)$", "", key)
        groups.setdefault(key, set()).add(tag)
    return sum(1 for group in groups.values() if len(group) > 1)
