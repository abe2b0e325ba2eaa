"""Wire protocols of trainers and agents over an `EpisodeService`, as plain ASGI apps."""
