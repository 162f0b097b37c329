"""Steps about the published log: its heads, proofs, witnesses and receipts, and what is done to its stored events."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from pytest_bdd import given, parsers, then, when

from steps.lives import Life
from tollbench.adapters.ledger.client import Reply, WitnessClient
from tollbench.adapters.ledger.files import Folder
from tollbench.adapters.ledger.published import PublishedLog
from tollbench.adapters.ledger.publisher import Published, Publisher
from tollbench.adapters.ledger.receipts import Receipt, event_proof, make_receipt
from tollbench.adapters.ledger.rules import check_interval
from tollbench.adapters.ledger.state import LogState
from tollbench.adapters.ledger.witness import Witness
from tollbench.protocol import canonical, envelope
from tollbench.protocol.checkpoint import Checkpoint
from tollbench.protocol.faults import LogFault
from tollbench.protocol.note import ED25519, SigningKey
from tollbench.protocol.policy import Policy
from tollbench.protocol.proofs import verify_consistency

ORIGIN = "log.example/bench"


class Stored:
    """The events of the bench as they lie in its store, or as somebody rewrote them."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self.rewritten: list[bytes] | None = None

    def log(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """Every stored event from this leaf index on."""
        if self.rewritten is None:
            yield from self._life.bench.log(start)
        else:
            yield from enumerate(self.rewritten[start:], start)


class Ledgering:
    """The log of a life: its state, its stored events, its witness, and what the last publication came to."""

    def __init__(self, life: Life, root: Path, witness: Witness | None, web: str = "") -> None:
        self.stored = Stored(life)
        self.witness = witness
        policy = b"quorum none\n"
        if witness is not None:
            policy = f"witness w {witness.verifier} http://w.example\nquorum w\n".encode()
        self.state = LogState.create(root / "log", origin=ORIGIN, out=root / "public", policy=policy, url=web)
        self.done: Published | None = None
        self.fault: LogFault | None = None
        if witness is not None:
            witness.trust(self.state.verifier)

    def publish(self) -> None:
        """Publish, and keep what came of it."""
        self.done, self.fault = None, None
        try:
            self.done = Publisher(self.state, self.stored, self._clients()).publish()
        except LogFault as fault:
            self.fault = fault

    def _clients(self) -> list[WitnessClient]:
        witness = self.witness
        if witness is None:
            return []

        def post(url: str, body: bytes) -> Reply:
            return witness.add_checkpoint(body)

        return [WitnessClient(each, post, lambda seconds: None) for each in self.state.policy().witnesses]

    @property
    def head(self) -> Published:
        """The last publication; fails where it was refused."""
        assert self.fault is None, self.fault
        assert self.done is not None
        return self.done

    @property
    def published(self) -> PublishedLog:
        """The published log under its last head."""
        return PublishedLog(Folder(self.state.settings.out).read, self.head.head)


def ledgering(life: Life, root: Path, witness: Witness | None = None) -> Ledgering:
    """The log of this life, set up on first use."""
    if "log" not in life.things:
        life.things["log"] = Ledgering(life, root, witness)
    found: Ledgering = life.things["log"]
    return found


@given("a log with one witness")
def witnessed(life: Life, tmp_path: Path) -> None:
    ledgering(life, tmp_path, Witness.create(tmp_path / "witness", "w.example/w"))


@given("the log is published")
@when("the log is published")
def published(life: Life, tmp_path: Path) -> None:
    ledgering(life, tmp_path).publish()


def _rewrite(life: Life, root: Path, change: Callable[[bytes], bytes]) -> None:
    stored = ledgering(life, root).stored
    bodies = [body for _, body in stored.log()]
    stored.rewritten = [*bodies[:-1], change(bodies[-1])]


@when("the last stored event is written in another spelling")
def respelled(life: Life, tmp_path: Path) -> None:
    _rewrite(life, tmp_path, lambda body: json.dumps(json.loads(body), indent=1).encode())


@when("the last stored event is rewritten")
def rewritten(life: Life, tmp_path: Path) -> None:
    _rewrite(life, tmp_path, lambda body: body.replace(b'"version":1', b'"version":9', 1))


@when("the history is rebuilt with another last event, by somebody who lost the record of it")
def rebuilt(life: Life, tmp_path: Path) -> None:
    log = ledgering(life, tmp_path)
    rewritten(life, tmp_path)
    bodies = log.stored.rewritten or []
    log.stored.rewritten = [*bodies, bodies[-1]]
    (log.state.root / "signed").unlink()
    log.state = LogState.open(log.state.root)
    (log.state.settings.out / "checkpoint").unlink()
    for path in sorted(log.state.settings.out.rglob("*"), reverse=True):
        if path.is_file():
            path.unlink()


@then(parsers.re(r"publishing is refused by (?P<rule>TB-LEDGER-\d{3})"))
def refused(life: Life, rule: str) -> None:
    fault = life.things["log"].fault
    assert fault is not None, "it was published"
    assert fault.kind.rule == rule, fault


@then("the log holds one leaf more, the hash of the canonical event")
def one_leaf(life: Life) -> None:
    log = life.things["log"]
    assert log.head.added == 1
    leaf, body = list(life.bench.log())[-1]
    assert log.published.entries(leaf // 256)[leaf % 256] == envelope.event_hash(canonical.dumps(canonical.loads(body)))


@then("the event with its keys in another order has the same hash")
def same_hash(life: Life) -> None:
    _, body = list(life.bench.log())[-1]
    turned = dict(reversed(list(json.loads(body).items())))
    assert envelope.event_hash(canonical.dumps(turned)) == envelope.event_hash(body)


@then("the published head verifies under the key of the log and under no other")
def verifies(life: Life) -> None:
    log = life.things["log"]
    note = Folder(log.state.settings.out).read("checkpoint")
    assert note is not None, "no head is published"
    assert Policy.of_log(log.state.verifier).check(note).checkpoint == log.head.head
    try:
        Policy.of_log(SigningKey(ORIGIN, ED25519, bytes(range(32))).verifier).check(note)
    except LogFault as fault:
        assert fault.code == "NOTE_UNSIGNED"
    else:
        raise AssertionError("another key accepts the head")


@then(parsers.parse("a head every {allowed:d} seconds is allowed, every {refused:d} seconds is not"))
def intervals(allowed: int, refused: int) -> None:
    assert check_interval(allowed) == allowed
    try:
        check_interval(refused)
    except LogFault as fault:
        assert fault.kind.rule == "TB-LEDGER-003"
    else:
        raise AssertionError(f"{refused} seconds are allowed")


@then("every event has a proof that leads to the published head")
def proven(life: Life) -> None:
    log = life.things["log"]
    pinned = Policy.of_log(log.state.verifier)
    for leaf, body in life.bench.log():
        proof = event_proof(log.published, log.head.note, str(leaf))
        assert proof.extra == body
        proof.verify(envelope.event_hash(body), pinned)


@then("a head of another history is found not to extend it")
def forked(life: Life) -> None:
    log = life.things["log"]
    head = log.head.head
    other = Checkpoint(ORIGIN, head.size, bytes(32))
    path = log.published.consistency(1)
    verify_consistency(1, head.size, log.published.root_at(1), head.root, path)
    try:
        verify_consistency(1, head.size, log.published.root_at(1), other.root, path)
    except LogFault as fault:
        assert fault.code == "PROOF_WRONG"
    else:
        raise AssertionError("another history passes for an extension")


@then(parsers.re(r'the published head is shown as (?P<what>witnessed by "w"|unwitnessed)'))
def shown(life: Life, what: str) -> None:
    done = life.things["log"].head
    assert {*done.cosigned} == ({"w"} if "by" in what else set())


@then(parsers.re(r"a log on the web with (?P<what>no witness|one witness) is (?P<end>refused by TB-LEDGER-005|set up)"))
def on_the_web(life: Life, tmp_path: Path, what: str, end: str) -> None:
    witness = Witness.create(tmp_path / "web-witness", "w.example/w") if what == "one witness" else None
    try:
        Ledgering(life, tmp_path / what, witness, web="https://log.example")
    except LogFault as fault:
        assert fault.kind.rule == "TB-LEDGER-005"
        assert end.startswith("refused"), fault
    else:
        assert end == "set up"


@then("the deal has a receipt from which a stranger recomputes its row")
def receipted(life: Life) -> None:
    log = life.things["log"]
    made = make_receipt(log.published, log.head.note, life.ids["the deal"], log.state.verifier, log.state.policy_text())
    receipt = Receipt.parse(made.render())
    receipt.check(Policy.of_log(log.state.verifier))
    rows = life.bench.board(fresh=True)["attempts"]
    assert [row["deal"] for row in receipt.rows] == [life.ids["the deal"]]
    assert canonical.dumps(list(receipt.rows)) == canonical.dumps(rows)
