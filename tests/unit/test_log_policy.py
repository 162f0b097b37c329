"""Trust policies: quorums by groups, one key counting once, and every line that cannot be meant."""

import pytest

from logkit import LOG_KEY, SECONDS, WITNESSES, cosigned, entries, fault_of, head, tree_of
from tollbench.protocol.faults import LogFault
from tollbench.protocol.note import COSIGNATURE, ED25519, SigningKey, VerifierKey
from tollbench.protocol.policy import Policy

HEAD = head(tree_of(entries(5)))
LOG = f"log {LOG_KEY.verifier} https://log.example/\n"
A, B, C, D = (f"witness {name} {key.verifier}\n" for name, key in zip("abcd", WITNESSES, strict=True))
NESTED = "group pair 2 a b c\ngroup both all pair d\nquorum both\n"


def _policy(*lines: str) -> Policy:
    return Policy.parse("".join(lines).encode())


def test_groups_within_groups():
    policy = _policy("# a comment\n\n \t\n", LOG, A, B, C, D, NESTED)
    assert policy.logs[0].url == "https://log.example/"
    accepted = [set("abd"), set("acd"), set("bcd"), set("abcd")]
    for chosen in ("", "a", "d", "ad", "abc", "abd", "acd", "bcd", "abcd"):
        assert policy.met_by(frozenset(chosen)) is (set(chosen) in accepted)


@pytest.mark.parametrize(
    ("line", "needed"), [("group g any a b", 1), ("group g all a b", 2), ("group g 1 a b", 1), ("group g 2 a b", 2)]
)
def test_thresholds(line, needed):
    policy = _policy(LOG, A, B, f"{line}\nquorum g\n")
    assert [policy.met_by(frozenset(chosen)) for chosen in ("", "a", "ab")] == [needed <= n for n in range(3)]


def test_quorum_of_one_witness_and_of_none():
    assert _policy(LOG, A, "quorum a\n").met_by(frozenset("a"))
    assert not _policy(LOG, A, "quorum a\n").met_by(frozenset())
    assert _policy(LOG, "quorum none\n").met_by(frozenset())


def test_quorum_decides_whether_a_checkpoint_counts():
    policy = _policy(LOG, A, B, C, "group g 2 a b c\nquorum g\n")
    assert policy.check(cosigned(HEAD, *WITNESSES[1:3])).cosigned == {"b": SECONDS, "c": SECONDS}
    assert fault_of(lambda: policy.check(cosigned(HEAD, WITNESSES[0]))) == "QUORUM_UNMET"
    assert fault_of(lambda: policy.check(cosigned(HEAD))) == "QUORUM_UNMET"
    assert policy.examine(cosigned(HEAD, WITNESSES[0])).cosigned == {"a": SECONDS}


def test_one_witness_signing_twice_counts_once():
    policy = _policy(LOG, A, B, "group g all a b\nquorum g\n")
    later = WITNESSES[0].sign(HEAD.text().encode(), SECONDS + 1).line().encode()
    assert fault_of(lambda: policy.check(cosigned(HEAD, WITNESSES[0], WITNESSES[0]) + later)) == "QUORUM_UNMET"


def test_log_cannot_meet_the_quorum_for_itself():
    own = SigningKey("witness9.example/w", COSIGNATURE, LOG_KEY.seed)
    line = f"witness own {own.verifier}\n"
    assert fault_of(lambda: _policy(LOG, line, "quorum own\n")) == "WITNESS_IS_LOG"
    assert fault_of(lambda: _policy(line, LOG, "quorum own\n")) == "WITNESS_IS_LOG"
    assert fault_of(lambda: _policy(LOG, A, "quorum a\n").check(cosigned(HEAD, own))) == "QUORUM_UNMET"


def test_altered_cosignature_refuses_the_whole_checkpoint():
    policy = _policy(LOG, A, "quorum none\n")
    wrong = WITNESSES[0].sign(b"another text\n", SECONDS).line().encode()
    assert fault_of(lambda: policy.check(cosigned(HEAD) + wrong)) == "SIGNATURE_WRONG"


def test_key_under_two_names_is_refused():
    renamed = VerifierKey("other.example/w", COSIGNATURE, WITNESSES[0].verifier.public)
    assert fault_of(lambda: _policy(LOG, A, f"witness b {renamed}\n", "quorum a\n")) == "KEY_TWO_NAMES"
    log = VerifierKey("other.example/log", ED25519, LOG_KEY.verifier.public)
    assert fault_of(lambda: _policy(LOG, f"log {log}\n", "quorum none\n")) == "KEY_TWO_NAMES"


def test_duplicate_witness_or_log_is_refused():
    assert (
        fault_of(lambda: _policy(LOG, A, f"witness again {WITNESSES[0].verifier}\n", "quorum a\n"))
        == "WITNESS_DUPLICATE"
    )
    assert fault_of(lambda: _policy(LOG, LOG, "quorum none\n")) == "WITNESS_DUPLICATE"


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [LOG],
        [LOG, "quorum a\n"],
        [LOG, "quorum a\n", A],
        [LOG, A, "quorum a\nquorum a\n"],
        [LOG, A, "quorum a b\n"],
        [LOG, A, "quorum a"],
        [LOG, A, A.replace("witness a", "witness none"), "quorum a\n"],
        [LOG, A, B.replace("witness b", "witness a"), "quorum a\n"],
        [LOG, A, "group g all none\nquorum g\n"],
        [LOG, A, "group g all a a\nquorum g\n"],
        [LOG, A, B, "group g any a b\ngroup h any a g\nquorum h\n"],
        [LOG, A, "group g 0 a\nquorum g\n"],
        [LOG, A, "group g 2 a\nquorum g\n"],
        [LOG, A, "group g all\nquorum g\n"],
        [LOG, A, "group g all g\nquorum g\n"],
        [LOG, "witness a\nquorum none\n"],
        [LOG, "log\nquorum none\n"],
        [LOG, "\x0b\nquorum none\n"],
        [LOG, "quorum none\r\n"],
        ["# long\n" * 10_000, LOG, "quorum none\n"],
    ],
)
def test_line_that_cannot_be_meant_is_refused(lines):
    assert fault_of(lambda: _policy(*lines)) == "POLICY_MALFORMED"


@pytest.mark.parametrize("threshold", ["+1", "01", "-1", "\uff11", "0x1"])
def test_threshold_in_any_other_spelling_is_refused(threshold):
    assert fault_of(lambda: _policy(LOG, A, f"group g {threshold} a\nquorum g\n")) == "SIZE_MALFORMED"


def test_keys_of_the_wrong_type_are_refused():
    assert fault_of(lambda: _policy(f"log {WITNESSES[0].verifier}\nquorum none\n")) == "KEY_MALFORMED"
    assert fault_of(lambda: _policy(f"witness a {LOG_KEY.verifier}\nquorum none\n")) == "KEY_MALFORMED"


def test_fault_names_the_line():
    with pytest.raises(LogFault, match="line 3: no policy line") as caught:
        _policy(LOG, A, "witnesses b\n")
    assert caught.value.document()["status"] == 2


def test_names_are_octets():
    kelvin = "\u212a"
    policy = Policy.parse(LOG.encode() + A.replace(" a ", f" {kelvin} ").encode() + b"quorum \xe2\x84\xaa\n")
    assert policy.quorum == kelvin
    assert fault_of(lambda: Policy.parse(LOG.encode() + A.encode() + b"quorum A\n")) == "POLICY_MALFORMED"
    assert Policy.parse(A.replace(" a ", " \xff ").encode("latin-1") + b"quorum \xff\n").met_by(frozenset({"\udcff"}))


def test_up_to_sixty_four_witnesses_are_read():
    keys = [SigningKey(f"w{n}.example", COSIGNATURE, n.to_bytes(32, "big")) for n in range(1, 66)]
    lines = [f"witness w{n} {key.verifier}\n" for n, key in enumerate(keys)]
    assert len(_policy(LOG, *lines[:64], "quorum w0\n").witnesses) == 64
    assert fault_of(lambda: _policy(LOG, *lines, "quorum w0\n")) == "POLICY_MALFORMED"
