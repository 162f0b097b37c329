"""`kill -9` at random moments of publishing, and two publishers at once: nothing signed is ever taken back."""

import multiprocessing
import random
import time

import pytest

from logkit import MemoryLog, event_bytes, policy_of, serving
from tollbench.adapters.ledger.files import Folder
from tollbench.adapters.ledger.fsck import fsck
from tollbench.adapters.ledger.published import PublishedLog
from tollbench.adapters.ledger.publisher import Publisher
from tollbench.adapters.ledger.state import LogState
from tollbench.adapters.ledger.witness import Witness
from tollbench.protocol.checkpoint import Checkpoint
from tollbench.protocol.merkle import Tree
from tollbench.protocol.note import Note

KILLS = 20
STEP = 40
BODIES = event_bytes(8000)
_CONTEXT = multiprocessing.get_context("spawn")


def _keep_publishing(root, start, ready):
    """Publish ever more of the events until killed."""
    log = MemoryLog(BODIES[:start])
    publisher = Publisher(LogState.open(root), log)
    ready.set()
    for size in range(start, len(BODIES), STEP):
        log.bodies = BODIES[:size]
        publisher.publish()


def _publish_upto(root, size):
    return Publisher(LogState.open(root), MemoryLog(BODIES[:size])).publish().head.size


@pytest.fixture(name="witnessed")
def _witnessed(tmp_path):
    witness = Witness.create(tmp_path / "w", "w.example/w")
    with serving(witness) as url:
        policy = policy_of(w=(witness, url))
        state = LogState.create(tmp_path / "s.log", origin="log.example/b", out=tmp_path / "out", policy=policy)
        witness.trust(state.verifier)
        yield state, witness


def _held(witness):
    """The head the witness cosigned last."""
    files = [path for path in (witness.root / "heads").glob("*") if path.is_file()]
    return Checkpoint.parse(Note.parse(files[0].read_bytes()).text) if files else None


def test_twenty_kills(witnessed):
    state, witness = witnessed
    draw, heads = random.Random(7), []
    size = STEP
    for _ in range(KILLS):
        ready = _CONTEXT.Event()
        child = _CONTEXT.Process(target=_keep_publishing, args=(state.root, size, ready))
        child.start()
        assert ready.wait(60)
        time.sleep(draw.uniform(0.0, 0.25))
        child.kill()
        child.join()
        heads += [head for head in (_held(witness), (state.last_signed() or [None])[0]) if head is not None]
        size = max([size, *(head.size for head in heads)])
        published = Folder(state.settings.out).read("checkpoint")
        if published is not None:
            heads.append(state.policy().check(published).checkpoint)
            assert sum(1 for _ in PublishedLog(Folder(state.settings.out).read, heads[-1]).events()) == heads[-1].size
    # A publisher that was killed may have left tiles beyond the last head: the whole log covers them.
    done = Publisher(state, MemoryLog(BODIES)).publish()
    assert done.head.size == len(BODIES)
    assert {*done.cosigned} == {"w"}
    tree = Tree()
    tree.extend(entry for number in range(-(-done.head.size // 256)) for entry in _entries(state, done.head, number))
    assert [head for head in heads if tree.root(head.size) != head.root] == []
    health = fsck(state, MemoryLog(BODIES))
    assert (health.findings, health.remarks) == ([], [])
    assert list((state.settings.out / ".staging").iterdir()) == []


def _entries(state, head, number):
    return PublishedLog(Folder(state.settings.out).read, head).entries(number)


def test_two_publishers_at_once_take_turns(witnessed):
    state, witness = witnessed
    with _CONTEXT.Pool(2) as pool:
        sizes = [300, 310, 520, 530, 800, 801]
        asked = [pool.apply_async(_publish_upto, (state.root, size)) for size in sizes]
        done = []
        for future in asked:
            try:
                done.append(future.get(120))
            except ValueError as fault:  # a publisher that comes late with an older view is refused
                assert "HEAD_ROLLBACK" in str(fault)
    assert max(done) == 801
    assert _held(witness).size == 801
    health = fsck(state, MemoryLog(BODIES[:801]))
    assert health.findings == []
