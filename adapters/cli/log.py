"""`toll log`, `toll receipt` and `toll verify`: the transparency log, its receipts, and their verification.

Every fault names its code, what was seen, what it means and what to do. Exit status: 0 fine, 1 where evidence does not
hold or a step was refused, 2 where the input cannot be used.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import click
from rich.progress import Progress

from ...protocol.checkpoint import Checkpoint, open_checkpoint
from ...protocol.faults import FINDING, LogFault
from ...protocol.note import VerifierKey
from ...protocol.policy import Policy
from ...protocol.proofs import verify_consistency
from ...protocol.strict import decimal, encode64
from ..bench import Bench
from ..ledger.bundle import make_bundle
from ..ledger.files import Folder
from ..ledger.fsck import fsck as check_folder
from ..ledger.published import PublishedLog
from ..ledger.publisher import Published, Publisher
from ..ledger.receipts import Receipt, event_proof, make_receipt
from ..ledger.rules import check_interval
from ..ledger.sources import FolderSource, open_source, read_argument
from ..ledger.state import LogState
from ..ledger.verifier import OK, Report, trusted_policy
from ..ledger.verifier import verify as verify_source
from ..ledger.witness import Witness, WitnessServer
from .output import bench_option, console, json_option, print_json

P = ParamSpec("P")
T = TypeVar("T")
out_option = click.option(
    "--out", "out", type=click.Path(path_type=Path), help="Write to this file instead of printing."
)


def faults(command: Callable[P, T]) -> Callable[P, T]:
    """End a command with the message and the status of the fault that stopped it."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return command(*args, **kwargs)
        except LogFault as fault:
            report_fault(fault, as_json=bool(kwargs.get("as_json")))
            sys.exit(fault.kind.status)

    return run


def report_fault(fault: LogFault, *, as_json: bool) -> None:
    """Say what is wrong: as JSON on standard output, or in words on standard error."""
    if as_json:
        print_json({"fault": fault.document()})
        return
    where = f" in {fault.where}" if fault.where else ""
    click.echo(f"toll: {fault.code}{where}: {fault.detail}", err=True)
    if fault.kind.rule:
        click.echo(f"  rule:  {fault.kind.rule}", err=True)
    click.echo(f"  means: {fault.kind.meaning}\n  fix:   {fault.kind.fix}", err=True)


def state_of(url: str) -> LogState:
    """The private side of a bench's log. Raises LOG_MISSING."""
    return LogState.open(state_folder(url))


def state_folder(url: str) -> Path:
    """The private folder that belongs to a bench."""
    return LogState.of_bench(Path(url.removeprefix("sqlite:///")).resolve())


def published_log(state: LogState) -> tuple[PublishedLog, bytes]:
    """The published log under the log's own key, and the note of its head."""
    folder = Folder(state.settings.out)
    note = folder.read("checkpoint")
    if note is None:
        raise LogFault("FILE_MISSING", "nothing is published yet", "checkpoint")
    head, _ = open_checkpoint(note, (state.verifier,))
    return PublishedLog(folder.read, head), note


def head_dict(head: Checkpoint, cosigned: dict[str, int]) -> dict[str, Any]:
    """A head as JSON values."""
    return {
        "origin": head.origin,
        "size": head.size,
        "root": f"sha256:{head.root.hex()}",
        "witness": sorted(cosigned) or "unwitnessed",
    }


def deliver(data: bytes, out: Path | None) -> None:
    """Print bytes, or write them to a file."""
    if out is None:
        sys.stdout.buffer.write(data)
    else:
        out.write_bytes(data)


@click.group()
def log() -> None:
    """The transparency log: publish the events, prove them, have them witnessed."""


@log.command()
@bench_option
@click.option("--origin", required=True, help="Name of the log, like log.example/bench; never changes.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the public files.  [default: <bench>.public]")
@click.option("--policy", "policy_file", help="A tlog-policy file: witnesses, groups and quorum.")
@click.option("--key-env", default="", help="Take the signing key from this environment variable.")
@click.option("--web", default="", help="Web address at which the public folder will be served.")
@click.option("--rotate", is_flag=True, help="New key, new origin, same events: the log goes on under another name.")
@json_option
@faults
def init(
    url: str,
    origin: str,
    out: Path | None,
    policy_file: str | None,
    key_env: str,
    web: str,
    rotate: bool,
    as_json: bool,
) -> None:
    """Set up the log of a bench: its key, its origin, its policy and where it is published."""
    root = state_folder(url)
    if rotate:
        state = LogState.open(root).rotate(origin=origin, key_env=key_env)
    else:
        policy = read_argument(policy_file) if policy_file else None
        place = out or root.with_name(root.name.removesuffix(".log") + ".public")
        state = LogState.create(root, origin=origin, out=place, policy=policy, key_env=key_env, url=web)
    if as_json:
        print_json({"origin": origin, "vkey": str(state.verifier), "public": str(state.settings.out)})
        return
    click.echo(f"the log {origin} is set up; its public files go to {state.settings.out}")
    click.echo("give this verifier key to everybody who is to check the log:")
    click.echo(str(state.verifier))


@log.command()
@bench_option
@json_option
@faults
def publish(url: str, as_json: bool) -> None:
    """Publish every committed event, with a quorum of witnesses where the policy asks for one."""
    state = state_of(url)
    with Bench.open(url, create=False) as bench:
        done = Publisher(state, bench).publish()
    tell_published(done, as_json)


def tell_published(done: Published, as_json: bool) -> None:
    """Say what a publication did."""
    if as_json:
        told = {**head_dict(done.head, done.cosigned), "added": done.added, "files": done.files}
        print_json({**told, "changed": done.changed, "silent": done.silent})
        return
    by = ", ".join(sorted(done.cosigned)) or "no witness: unwitnessed"
    what = f"{done.added} new events, {done.files} files" if done.changed else "nothing new"
    click.echo(f"{what}; head of {done.head.size} events, cosigned by {by}")
    for name, why in sorted(done.silent.items()):
        click.echo(f"  witness {name} is silent: {why}", err=True)


@log.command()
@bench_option
@click.option(
    "--every", default=300, show_default=True, type=click.IntRange(1), help="Seconds between heads, at most an hour."
)
@click.option("--times", type=click.IntRange(min=1), help="Stop after this many rounds.")
@json_option
@faults
def watch(url: str, every: int, times: int | None, as_json: bool) -> None:
    """Publish again and again, at least once an hour while events arrive.

    A witness that is silent or a missing quorum is tried again at the next round; anything else stops the watch.
    """
    check_interval(every)
    state = state_of(url)
    with Bench.open(url, create=False) as bench:
        publisher, rounds = Publisher(state, bench), 0
        while True:
            try:
                done = publisher.publish()
                if done.changed or not rounds:
                    tell_published(done, as_json)
            except LogFault as fault:
                if fault.code not in ("QUORUM_UNMET", "WITNESS_SILENT", "LOG_BUSY"):
                    raise
                report_fault(fault, as_json=as_json)
            rounds += 1
            if times is not None and rounds >= times:
                return
            time.sleep(every)


@log.command()
@click.argument("event")
@bench_option
@out_option
@json_option
@faults
def prove(event: str, url: str, out: Path | None, as_json: bool) -> None:
    """Print the proof that EVENT (leaf index or id) is logged: a C2SP tlog-proof with the event in its extra line."""
    published, note = published_log(state_of(url))
    proof = event_proof(published, note, event)
    if as_json:
        told = {"leaf": proof.index, "path": [encode64(hashed) for hashed in proof.path]}
        print_json({**told, "checkpoint": note.decode(), "event": (proof.extra or b"").decode()})
        return
    deliver(proof.render(), out)


@log.command(name="verify")
@bench_option
@json_option
@faults
def verify_own(url: str, as_json: bool) -> int:
    """Verify the published folder of a bench under its own key and policy."""
    state = state_of(url)
    report = verified(FolderSource(state.settings.out), None, state.policy(), None, as_json)
    return 0 if report.verdict == OK else FINDING


@log.command()
@click.argument("old")
@click.argument("new")
@bench_option
@json_option
@faults
def consistency(old: str, new: str, url: str, as_json: bool) -> None:
    """Prove that the log at NEW extends the log at OLD; each is a size, or the file of a checkpoint of this log."""
    state = state_of(url)
    published, _ = published_log(state)
    older, newer = _head(old, state, published), _head(new, state, published)
    if older.size > newer.size:
        raise LogFault("HEAD_ROLLBACK", f"size {older.size} is above size {newer.size}", old)
    path = published.consistency(older.size, newer.size)
    if older.size:
        try:
            verify_consistency(older.size, newer.size, older.root, newer.root, path)
        except LogFault as fault:
            raise LogFault("HEAD_SPLIT", fault.detail) from None
    if as_json:
        ends = {
            name: {"size": head.size, "root": encode64(head.root)} for name, head in (("old", older), ("new", newer))
        }
        print_json({**ends, "path": [encode64(hashed) for hashed in path]})
        return
    click.echo(f"the log of {newer.size} events extends the log of {older.size}; proof of {len(path)} hashes:")
    for hashed in path:
        click.echo(encode64(hashed))


def _head(text: str, state: LogState, published: PublishedLog) -> Checkpoint:
    """The head that an argument names: a checkpoint file, or a size of the published log."""
    if Path(text).is_file():
        return open_checkpoint(read_argument(text), (state.verifier,))[0]
    size = decimal(text, "the size")
    return Checkpoint(state.settings.origin, size, published.root_at(size))


@log.command()
@bench_option
@json_option
@faults
def fsck(url: str, as_json: bool) -> int:
    """Check every published file, the record of signed heads and the stored events; changes nothing."""
    state = state_of(url)
    with Bench.open(url, create=False) as bench:
        health = check_folder(state, bench)
    if as_json:
        print_json({
            "size": health.size,
            "files": health.files,
            "findings": [fault.document() for fault in health.findings],
            "remarks": health.remarks,
        })  # fmt: skip
    else:
        for fault in health.findings:
            report_fault(fault, as_json=False)
        for remark in health.remarks:
            click.echo(f"remark: {remark}")
        click.echo(f"{health.files} files of a log of {health.size} events, {len(health.findings)} findings")
    return FINDING if health.findings else 0


@log.command()
@click.option("--out", required=True, type=click.Path(path_type=Path), help="A folder, or a file that ends in .tar.")
@bench_option
@json_option
@faults
def bundle(out: Path, url: str, as_json: bool) -> None:
    """Write the audit bundle of the published head: all that a stranger needs to check everything."""
    state = state_of(url)
    done = make_bundle(state, out)
    head = done.verdict.checkpoint
    if as_json:
        told = {**head_dict(head, done.verdict.cosigned), "files": done.files, "bytes": done.bytes, "out": str(out)}
        print_json(told)
        return
    click.echo(f"{out}: {done.files} files, {done.bytes} bytes, {head.size} events")
    click.echo(f"check it: toll verify {out} --key '{state.verifier}'")


@log.group()
def witness() -> None:
    """A witness of your own, for other logs or for tests."""


@witness.command()
@click.option("--dir", "root", required=True, type=click.Path(path_type=Path), help="Folder of the witness.")
@click.option("--name", help="Key name, needed when the witness is new, like witness.example/w.")
@click.option("--trust", "trusted", multiple=True, metavar="VKEY", help="Verifier key of a log to cosign for.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8643, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes a free one."
)
@json_option
@faults
def serve(root: Path, name: str | None, trusted: tuple[str, ...], host: str, port: int, as_json: bool) -> None:
    """Serve the witness protocol until interrupted. The folder must never be restored from a backup."""
    keys = [VerifierKey.parse(text) for text in trusted]
    serving = Witness.create(root, name) if name and not (root / "key").exists() else Witness(root)
    serving.trust(*keys)
    try:
        server = WitnessServer(serving, host, port, report=lambda line: click.echo(line, err=True))
    except OSError as error:
        raise LogFault("DISK_REFUSED", f"cannot listen on {host} port {port}: {error.strerror}") from None
    with server:
        if as_json:
            print_json({"url": server.url, "vkey": str(serving.verifier)})
        else:
            click.echo(f"{serving.verifier}\nlistening on {server.url}")
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("stopped", err=True)


@click.command()
@click.argument("subject", metavar="DEAL|AGENT|EVENT")
@bench_option
@out_option
@json_option
@faults
def receipt(subject: str, url: str, out: Path | None, as_json: bool) -> None:
    """Write a self-contained receipt of a deal, of every deal of an agent (passport id), or of one event.

    It is one JSON file, so --json changes nothing but how a fault is told.
    """
    state = state_of(url)
    published, note = published_log(state)
    made = make_receipt(published, note, subject, state.verifier, state.policy_text())
    deliver(made.render(), out)


@click.command()
@click.argument("place", metavar="BUNDLE|DIR|URL|RECEIPT")
@click.option("--key", "key_text", help="Verifier key of the log, from a source you trust (or a file that holds it).")
@click.option("--policy", "policy_file", help="A tlog-policy file with the witnesses you trust.")
@click.option("--since", "since_file", help="An earlier checkpoint that the log must extend.")
@json_option
@faults
def verify(place: str, key_text: str | None, policy_file: str | None, since_file: str | None, as_json: bool) -> int:
    """Verify a bundle, a published log or a receipt. Without --key or --policy the verdict is never ok."""
    key = None if key_text is None else VerifierKey.parse(_key_text(key_text))
    policy = Policy.parse(read_argument(policy_file)) if policy_file else None
    since = read_argument(since_file) if since_file else None
    if Path(place).is_file() and not place.endswith(".tar"):
        report = _verified_receipt(place, key, policy)
        tell_report(report, as_json)
    else:
        source = open_source(place)
        try:
            report = verified(source, key, policy, since, as_json)
        finally:
            source.close()
    return 0 if report.verdict == OK else max([FINDING, *(fault.kind.status for fault in report.findings)])


def _key_text(text: str) -> str:
    return read_argument(text).decode("utf-8", "replace").strip() if Path(text).is_file() else text.strip()


def _verified_receipt(place: str, key: VerifierKey | None, policy: Policy | None) -> Report:
    """The report on a receipt; its own key is used where none is pinned, and said so."""
    report = Report(place, key is not None or (policy is not None and bool(policy.logs)))
    try:
        found = Receipt.parse(read_argument(place))
        if not report.pinned and not found.vkey:
            raise LogFault("KEY_MISSING", "a tlog-proof names no key: pin one with --key", place)
        trust = trusted_policy(key, policy) or Policy.of_log(VerifierKey.parse(found.vkey))
        report.head = found.check(trust)
        report.cosigned = trust.examine(found.checkpoint).cosigned
        report.checked.append(f"{len(found.events)} events included in the log of {report.head.size}")
        report.checked += [f"the row of {row['deal']} follows from its events" for row in found.rows]
        report.unchecked.append("that no later event exists: only the log itself can show that")
    except LogFault as fault:
        report.add(fault)
    if not report.pinned:
        report.unchecked.append("whose log this is: no key is pinned")
    if report.cosigned:
        report.witnessed = ", ".join(sorted(report.cosigned))
    return report


def verified(source: Any, key: VerifierKey | None, policy: Policy | None, since: bytes | None, as_json: bool) -> Report:
    """Verify a source with a progress bar on a terminal, and tell the report."""
    bar = Progress(transient=True, console=console(), disable=as_json or not sys.stderr.isatty())
    with bar:
        task = bar.add_task("events", total=None)
        report = verify_source(
            source,
            key=key,
            policy=policy,
            since=since,
            progress=lambda done, whole: bar.update(task, completed=done, total=whole),
        )
    tell_report(report, as_json)
    return report


def tell_report(report: Report, as_json: bool) -> None:
    """Say what was checked, what could not be, and the verdict."""
    if as_json:
        print_json(report.document())
        return
    for line in report.checked:
        click.echo(f"checked    {line}")
    for line in report.unchecked:
        click.echo(f"unchecked  {line}")
    for fault in report.findings:
        click.echo(f"finding    {fault}")
    click.echo(f"witness    {report.witnessed}")
    click.echo(f"verdict    {report.verdict}")
