"""Content hashes of artifacts: known digests, piece boundaries, memory that does not grow."""

import hashlib
import tracemalloc
from pathlib import Path

import pytest
from blake3 import blake3

from tollbench.adapters.artifacts import PIECE, content_hashes


def test_the_empty_artifact_has_the_published_digests(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    found = content_hashes(tmp_path / "empty")
    assert found.sha256 == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert found.blake3 == "b3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
    assert found.size == 0


@pytest.mark.parametrize("size", [1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 7])
def test_pieces_join_to_the_whole(tmp_path: Path, size: int) -> None:
    data = bytes(number * 31 % 251 for number in range(1009)) * (size // 1009 + 1)
    data = data[:size]
    (tmp_path / "artifact").write_bytes(data)
    expected = (f"sha256:{hashlib.sha256(data).hexdigest()}", f"b3:{blake3(data).hexdigest()}", size)
    assert content_hashes(tmp_path / "artifact") == expected


def test_memory_does_not_grow_with_the_artifact(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(64 * PIECE)
    tracemalloc.start()
    content_hashes(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * PIECE


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        content_hashes(tmp_path)
