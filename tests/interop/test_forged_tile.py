"""A signed log of 70,000 entries in which one full tile and its bundle were replaced: every reader refuses it."""

import pytest

from logkit import fault_of, told
from support import shared
from tollbench.protocol.checkpoint import open_checkpoint
from tollbench.protocol.faults import LogFault
from tollbench.protocol.merkle import inclusion_path
from tollbench.protocol.note import VerifierKey
from tollbench.protocol.tiles import TileReader

LOG = "vectors/cve-2026-56865-forged-tile"


def _fetch(path):
    file = shared(LOG) / path
    return file.read_bytes() if file.is_file() else None


@pytest.fixture(name="reader")
def _reader():
    key = VerifierKey.parse(shared(f"{LOG}/vkey").read_text().strip())
    checkpoint, _ = open_checkpoint(shared(f"{LOG}/checkpoint").read_bytes(), (key,))
    assert checkpoint.size == 70_000
    return TileReader(_fetch, checkpoint.size, checkpoint.root)


def test_forged_bundle_is_refused(reader):
    assert fault_of(lambda: reader.entries(0)) == "TILE_FORGED"


def test_forged_hashes_are_refused(reader, capsys):
    codes = {fault_of(lambda at=at: reader.node(0, at)) for at in range(256)}
    assert codes == {"TILE_FORGED"}
    assert fault_of(lambda: inclusion_path(reader.node, 5, reader.size)) == "TILE_FORGED"
    told(capsys, "forged tile: all 256 leaves, the bundle and a proof out of it refused")


def test_honest_parts_of_the_same_log_are_read(reader):
    assert len(reader.node(0, 69_999)) == 32
    with pytest.raises(LogFault, match="TILE_FORGED: tile/0/000: "):
        reader.node(3, 0)
