"""A log of our own, frozen: 260 events, their tiles, bodies, cosigned checkpoint, proofs. Its bytes never change again.

What was published once must be read and reproduced by every later version. If this test fails, the code is at fault,
not the files.
"""

from pathlib import Path

import pytest

from logkit import LOG_KEY, ORIGIN, SECONDS, WITNESSES, MemoryLog, cosigned, event_bytes
from tollbench.adapters.ledger.files import Folder
from tollbench.adapters.ledger.published import PublishedLog
from tollbench.adapters.ledger.publisher import Publisher
from tollbench.adapters.ledger.receipts import event_proof
from tollbench.adapters.ledger.state import LogState
from tollbench.protocol.policy import Policy
from tollbench.protocol.strict import encode64
from tollbench.protocol.tlog_proof import TlogProof

GOLDEN = Path(__file__).parent / "log"
SIZES = (1, 100, 256, 260)
EVENTS = event_bytes(260)


@pytest.fixture(name="published", scope="module")
def _published(tmp_path_factory):
    """The same events published anew at the same four sizes, cosigned by the same two witnesses at the same second."""
    root = tmp_path_factory.mktemp("golden")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOLDEN_LOG_KEY", LOG_KEY.secret_text())
        state = LogState.create(root / "state", origin=ORIGIN, out=root / "log", key_env="GOLDEN_LOG_KEY")
        for size in SIZES:
            done = Publisher(state, MemoryLog(EVENTS[:size])).publish()
    folder = Folder(root / "log")
    note = cosigned(done.head, *WITNESSES[:2])
    folder.replace("checkpoint", note)
    log = PublishedLog(folder.read, done.head)
    folder.replace("event-100.tlog-proof", event_proof(log, note, "100").render())
    folder.replace("consistency-100-260", "".join(f"{encode64(h)}\n" for h in log.consistency(100)).encode())
    return folder


def test_every_byte_is_the_same(published):
    golden = Folder(GOLDEN)
    assert list(published.files()) == list(golden.files())
    assert [path for path in golden.files() if golden.read(path) != published.read(path)] == []


def test_frozen_log_is_read_and_proven():
    golden = Folder(GOLDEN)
    policy = Policy.parse(
        f"log {LOG_KEY.verifier}\nwitness a {WITNESSES[0].verifier}\nwitness b {WITNESSES[1].verifier}\n"
        "group both all a b\nquorum both\n".encode()
    )
    verdict = policy.check(golden.read("checkpoint"))
    assert verdict.cosigned == {"a": SECONDS, "b": SECONDS}
    assert [body for _, body in PublishedLog(golden.read, verdict.checkpoint).events()] == EVENTS
    proof = TlogProof.parse(golden.read("event-100.tlog-proof"))
    assert proof.verify(PublishedLog(golden.read, verdict.checkpoint).entries(0)[100], policy).checkpoint.size == 260


def test_frozen_root():
    assert (GOLDEN / "checkpoint").read_text().split("\n")[1:3] == [
        "260",
        "9iUlNmqT5OA/j6pEIup3fDt6hSyCSJzi7fEISCeiA+Q=",
    ]
