"""The audit bundle in a stranger's hands: checked by `toll verify` and by the file that comes with it."""

import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from logkit import WITNESSES, Log, MemoryLog, policy_of, serving, toll
from support import ROOT, require
from tollbench.adapters.bench import Bench
from tollbench.adapters.ledger.publisher import Publisher
from tollbench.adapters.ledger.sources import open_source
from tollbench.adapters.ledger.state import LogState
from tollbench.adapters.ledger.verifier import verify
from tollbench.adapters.ledger.witness import Witness
from tollbench.protocol.note import VerifierKey
from tollbench.protocol.policy import Policy

SAMPLES = max(500, int(os.environ.get("TOLL_FUZZ", "0")))


def _standalone():
    spec = importlib.util.spec_from_file_location("stranger", ROOT / "adapters" / "ledger" / "standalone.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


STRANGER = _standalone()


@pytest.fixture(name="season", scope="module")
def _season(tmp_path_factory):
    """A season of six targets, witnessed by two witnesses, with its bundle as a folder and as a tar file."""
    root = tmp_path_factory.mktemp("season")
    season = Log(root, targets=6)
    with ExitStack() as stack:
        made = {}
        for name in ("a", "b"):
            witness = Witness.create(root / f"witness-{name}", f"{name}.example/w")
            made[name] = (witness, stack.enter_context(serving(witness)))
        policy = policy_of(**made)
        season.publish(policy=b"quorum none\n")
        (season.state.root / "policy").write_bytes(f"log {season.key}\n".encode() + policy)
        for witness, _ in made.values():
            witness.trust(season.state.verifier)
        (season.root / "public" / "checkpoint").rename(root / "early")
        season.publish()
    season.policy = root / "policy"
    season.policy.write_bytes(season.state.policy_text())
    season.bundle()
    season.bundle("bundle.tar")
    return season


def _run(*arguments, cwd):
    return subprocess.run([sys.executable, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("name", ["bundle", "bundle.tar"])
def test_an_empty_folder_with_a_bundle_and_a_key_is_enough(season, name, tmp_path):
    if name == "bundle":
        shutil.copytree(season.root / name, tmp_path / name)
        own = tmp_path / name / "verify.py"
    else:
        shutil.copy(season.root / name, tmp_path)
        own = ROOT / "adapters" / "ledger" / "standalone.py"
    shutil.copy(season.policy, tmp_path)
    ours = _run("-m", "tollbench", "verify", name, "--key", season.key, "--policy", "policy", "--json", cwd=tmp_path)
    report = json.loads(ours.stdout)
    assert (ours.returncode, report["verdict"], report["witness"]) == (0, "ok", "a, b"), ours.stdout
    assert any(line.startswith("board.json recomputed") for line in report["checked"])
    assert any(line.startswith("TB-BID-005, ") for line in report["unchecked"])
    theirs = _run("-I", own, name, "--key", season.key, "--policy", "policy", "--json", cwd=tmp_path)
    told = json.loads(theirs.stdout)
    assert (theirs.returncode, told["verdict"], told["finding"]) == (0, "ok", None), theirs.stdout
    assert told["root"] == report["root"].removeprefix("sha256:")
    assert any(line.endswith("headline figures of the board") for line in told["checked"])


def test_verify_py_uses_the_standard_library_alone_and_runs_where_it_lies(season):
    lines = (season.root / "bundle" / "verify.py").read_text().splitlines()
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported - {"__future__"} <= set(sys.stdlib_module_names)
    done = _run("-I", "verify.py", "--key", season.key, cwd=season.root / "bundle")
    assert done.returncode == 0, done.stdout
    assert done.stdout.rstrip().endswith("verdict    ok")


def test_without_a_pinned_key_it_is_never_ok(season, capsys):
    assert toll("verify", season.root / "bundle", "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["verdict"], report["findings"]) == ("unverified", [])
    assert STRANGER.main([str(season.root / "bundle"), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "unverified"


def test_another_key_or_policy_refuses(season, capsys, tmp_path):
    other = f"log {season.key}\nwitness x {WITNESSES[0].verifier}\nquorum x\n"
    (tmp_path / "policy").write_text(other)
    assert toll("verify", season.root / "bundle", "--key", season.key, "--policy", tmp_path / "policy") == 1
    assert "QUORUM_UNMET" in capsys.readouterr().out
    assert STRANGER.main([str(season.root / "bundle"), "--key", season.key, "--policy", str(tmp_path / "policy")]) == 1
    stranger = str(VerifierKey(season.state.settings.origin, 1, WITNESSES[0].verifier.public))
    assert toll("verify", season.root / "bundle", "--key", stranger) == 1
    assert "NOTE_UNSIGNED" in capsys.readouterr().out
    assert STRANGER.main([str(season.root / "bundle"), "--key", stranger]) == 1


def test_earlier_head_is_shown_to_be_a_prefix(season, capsys):
    arguments = ["--key", season.key, "--since", str(season.root / "early")]
    assert toll("verify", season.root / "bundle", *arguments) == 0
    assert "is a prefix of this one" in capsys.readouterr().out
    assert STRANGER.main([str(season.root / "bundle"), *arguments]) == 0


def test_same_head_gives_the_same_bytes(season):
    first, again = season.root / "bundle", season.bundle("again")
    names = sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file())
    assert names == sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert [name for name in names if (again / name).read_bytes() != (first / name).read_bytes()] == []
    season.bundle("again.tar")
    assert (season.root / "again.tar").read_bytes() == (season.root / "bundle.tar").read_bytes()


def test_bundle_never_overwrites(season, capsys):
    assert toll("log", "bundle", "--out", season.root / "bundle", "--bench", season.database) == 2
    assert "BUNDLE_EXISTS" in capsys.readouterr().err


class _Changed:
    """A bundle with one byte of one file changed, held in memory."""

    label = "changed"

    def __init__(self, files, path, at, bit):
        data = bytearray(files[path])
        data[at] ^= 1 << bit
        self.files = {**files, path: bytes(data)}

    def fetch(self, path):
        return self.files.get(path)

    def read(self, name):
        if name not in self.files:
            raise STRANGER.Wrong("missing")
        return self.files[name]

    def paths(self):
        return iter(sorted(self.files))

    def names(self):
        return sorted(self.files)

    def close(self):
        pass


@pytest.fixture(name="small", scope="module")
def _small(tmp_path_factory):
    """The bundle of a bench that has just been opened, so that it can be verified a thousand times."""
    small = Log(tmp_path_factory.mktemp("small"), targets=0)
    small.publish()
    folder = small.bundle()
    small.files = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    return small


def _stranger_accepts(source, key):
    try:
        STRANGER.run(source, STRANGER.Key(key), None, None)
    except (STRANGER.Wrong, STRANGER.Unusable, KeyError, ValueError, TypeError, IndexError, AttributeError):
        return False
    return True


def test_changing_any_one_byte_of_any_file_fails_both_verifiers(small):
    untouched = _Changed(small.files, "checkpoint", 0, 0)
    untouched.files = small.files
    key = VerifierKey.parse(small.key)
    assert verify(untouched, key=key).verdict == "ok"
    assert _stranger_accepts(untouched, small.key)
    draw, paths, passed = random.Random(SAMPLES), sorted(small.files), []
    for number in range(SAMPLES):
        path = paths[number % len(paths)]
        changed = _Changed(small.files, path, draw.randrange(len(small.files[path])), draw.randrange(8))
        if verify(changed, key=key).verdict == "ok":
            passed.append(("toll verify", path))
        # verify.py is the running copy for itself: a change in it is for the other verifier to see
        if path != "verify.py" and _stranger_accepts(changed, small.key):
            passed.append(("verify.py", path))
    assert passed == []


@pytest.mark.parametrize("what", ["absent", "added", "emptied"])
def test_absent_added_or_emptied_file_fails_both_verifiers(small, what):
    key = VerifierKey.parse(small.key)
    for path in ["extra.txt"] if what == "added" else sorted(small.files):
        source = _Changed(small.files, "checkpoint", 0, 0)
        source.files = {**small.files, path: b""} if what != "absent" else {
            name: data for name, data in small.files.items() if name != path
        }  # fmt: skip
        assert verify(source, key=key).verdict != "ok", path
        assert not _stranger_accepts(source, small.key), path


def test_both_verifiers_refuse_a_forged_board_that_the_log_itself_signed(season, tmp_path):
    """The manifest cannot hide false figures: they are recomputed."""
    from tollbench.adapters.ledger.manifest import Builder

    files = {p.relative_to(season.root / "bundle").as_posix(): p.read_bytes()
             for p in (season.root / "bundle").rglob("*") if p.is_file()}  # fmt: skip
    board = json.loads(files["board.json"])
    board["overall"]["counts"]["successes"] += 1
    files["board.json"] = json.dumps(board, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    head = Policy.parse(files["policy"]).check(files["checkpoint"]).checkpoint
    builder = Builder(head)
    for path, data in files.items():
        if not path.startswith("manifest."):
            builder.add(path, data)
    source = _Changed(files, "checkpoint", 0, 0)
    source.files = files | dict(builder.finish(season.state.signing_key()))
    report = verify(source, key=VerifierKey.parse(season.key))
    assert [fault.code for fault in report.findings] == ["BOARD_WRONG"]
    with pytest.raises(STRANGER.Wrong, match="successes of all attempts"):
        STRANGER.run(source, STRANGER.Key(season.key), None, None)


def test_the_stranger_knows_good_signatures_from_bad():
    cases = json.loads((ROOT.parent / "shared/vectors/wycheproof-ed25519_test.json").read_text()) if (
        ROOT.parent / "shared/vectors/wycheproof-ed25519_test.json").exists() else {"testGroups": []}  # fmt: skip
    require("shared", cases["testGroups"], "../shared/vectors/wycheproof-ed25519_test.json is absent")
    for group in cases["testGroups"]:
        public = bytes.fromhex(group["publicKey"]["pk"])
        for case in group["tests"]:
            held = STRANGER.ed25519_holds(public, bytes.fromhex(case["msg"]), bytes.fromhex(case["sig"]))
            assert held is (case["result"] == "valid"), case["comment"]
    for small in ("01" + "00" * 31, "ec" + "ff" * 30 + "7f", "00" * 32):
        assert STRANGER.key_row(bytes.fromhex(small)) is None


def test_tar_with_odd_members_is_refused(season, tmp_path, capsys):
    import tarfile

    for name, kind in (("../out", tarfile.REGTYPE), ("link", tarfile.SYMTYPE), ("/abs", tarfile.REGTYPE)):
        path = tmp_path / "odd.tar"
        with tarfile.open(path, "w") as tar:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            tar.addfile(member)
        assert toll("verify", path, "--key", season.key) == 2
    path.write_bytes((season.root / "bundle.tar").read_bytes()[:3000])
    assert toll("verify", path, "--key", season.key) in (1, 2)
    assert open_source(str(season.root / "bundle")).label == str(season.root / "bundle")


def test_page_checks_a_receipt_offline(season, tmp_path, capsys):
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    require("chromium", browser)
    deal = json.loads((season.root / "bundle" / "board.json").read_text())["attempts"][0]["deal"]
    receipt, proof = tmp_path / "receipt.json", tmp_path / "event.tlog-proof"
    assert toll("receipt", deal, "--bench", season.database, "--out", receipt) == 0
    assert toll("log", "prove", "3", "--bench", season.database, "--out", proof) == 0
    good = receipt.read_text()
    altered = (
        good.replace("delivered", "expired00", 1)
        if "delivered" in good
        else good.replace("deal.signed", "deal.sIgned", 1)
    )
    other = str(VerifierKey(season.state.settings.origin, 1, WITNESSES[0].verifier.public))
    cases = [
        (good, season.key),
        (proof.read_text(), season.key),
        (good, ""),
        (altered, season.key),
        (good, other),
        ("", ""),
    ]
    page = (season.root / "bundle" / "check.html").read_text()
    script = (
        f"<script>(async () => {{ const cases = {json.dumps(cases)}; const told = [];"
        "for (const [text, key] of cases) told.push(await checkReceipt(text, key));"
        "document.body.textContent = JSON.stringify(told); })();</script></body>"
    )
    assert "</body>" in page
    (tmp_path / "run.html").write_text(
        page.replace("</body>", script.replace("</script></body>", "</script>\n</body>"))
    )
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom",
         (tmp_path / "run.html").as_uri()], capture_output=True, text=True, timeout=120)  # fmt: skip
    start = done.stdout.index("<body>") + 6
    told = json.JSONDecoder().raw_decode(done.stdout[start:].replace("&amp;", "&").replace("&lt;", "<"))[0]
    verdicts = [each["verdict"] for each in told]
    if "cannot verify Ed25519" in " ".join(told[0]["steps"]):
        assert verdicts == ["unverified", "unverified", "unverified", "failed", "unverified", "failed"]
    else:
        assert verdicts == ["ok", "ok", "unverified", "failed", "failed", "failed"]
    assert "is included: deal.signed" in " ".join(told[0]["steps"])


def test_page_reaches_for_nothing_outside():
    page = (ROOT / "adapters" / "ledger" / "check.html").read_text()
    assert "default-src 'none'" in page
    assert not any(word in page for word in ("http:", "https:", "fetch(", "XMLHttpRequest", "import(", "src="))
    assert Path(ROOT / "adapters" / "ledger" / "check.html").stat().st_size < 20_000


def test_a_second_process_gives_the_same_report(season, monkeypatch):
    key = VerifierKey.parse(season.key)
    alone = verify(open_source(str(season.root / "bundle")), key=key).document()
    monkeypatch.setattr("tollbench.adapters.ledger.clerk.WORTH_A_PROCESS", 1)
    beside = verify(open_source(str(season.root / "bundle")), key=key).document()
    assert beside == alone
    files = {p.relative_to(season.root / "bundle").as_posix(): p.read_bytes()
             for p in (season.root / "bundle").rglob("*") if p.is_file()}  # fmt: skip
    changed = _Changed(files, "bodies/000", 100, 0)
    assert verify(changed, key=key).verdict == "failed"


def test_lost_process_ends_in_a_finding(season, monkeypatch):
    monkeypatch.setattr("tollbench.adapters.ledger.clerk.WORTH_A_PROCESS", 1)
    monkeypatch.setattr("sys.executable", shutil.which("false"))
    report = verify(open_source(str(season.root / "bundle")), key=VerifierKey.parse(season.key))
    assert [fault.code for fault in report.findings] == ["PROCESS_LOST"]


@pytest.mark.parametrize("kind", ["deal.proposed", "target.odds.frozen", "deal.signed", "rulebook.edition.enacted"])
def test_log_that_no_bench_wrote_ends_in_findings_though_its_own_key_signed_it(season, tmp_path, kind, capsys):
    """The first event of a kind is left out, or put in twice, and the rest published under the log's own key."""
    with Bench.open(str(season.database), create=False) as bench:
        bodies = [body for _, body in bench.log()]
    at = next(n for n, body in enumerate(bodies) if f'"type":"{kind}"'.encode() in body)
    for number, events in enumerate(([*bodies[:at], *bodies[at + 1 :]], [*bodies[:at], bodies[at], *bodies[at:]])):
        state = LogState.create(tmp_path / f"s{number}", origin="log.example/x", out=tmp_path / f"out{number}")
        Publisher(state, MemoryLog(events)).publish()
        assert toll("verify", tmp_path / f"out{number}", "--key", str(state.verifier), "--json") == 1
        report = json.loads(capsys.readouterr().out)
        assert "EVENT_ORDER" in {fault["code"] for fault in report["findings"]}
