"""Published Merkle proof cases of transparency-dev: accepted and refused exactly as their files say."""

import json

import pytest

from logkit import b64, fault_of, told
from support import shared
from tollbench.protocol.proofs import (
    verify_consistency,
    verify_inclusion,
    verify_subtree_consistency,
    verify_subtree_inclusion,
)

COUNTS = {"inclusion": 98, "consistency": 98, "subtreeinclusion": 204, "subtreeconsistency": 118}

# These files expect success for roots that are no hash at all ("don't care"); a root of 12 bytes is refused here.
DUMMY_ROOTS = {
    "consistency/additional/sizes-are-equal-one-and-proof-is-empty.json",
    "subtreeconsistency/additional/sizes-are-equal-one-and-proof-is-empty.json",
    "subtreeconsistency/additional/"
    "subtree-is-empty-sizes-are-equal-one-subtree-root-valid-tree-root-random-proof-is-empty.json",
    "subtreeconsistency/additional/"
    "subtree-is-empty-sizes-are-equal-zero-subtree-root-valid-tree-root-random-proof-is-empty.json",
}


def _verify(kind, case):
    path = [b64(hashed) for hashed in case["proof"] or []]
    if kind == "inclusion":
        verify_inclusion(b64(case["leafHash"]), case["leafIdx"], case["treeSize"], path, b64(case["root"]))
    elif kind == "consistency":
        verify_consistency(case["size1"], case["size2"], b64(case["root1"]), b64(case["root2"]), path)
    elif kind == "subtreeinclusion":
        leaf, root = b64(case["leafHash"]), b64(case["root"])
        verify_subtree_inclusion(leaf, case["leafIdx"], case["start"], case["end"], path, root)
    else:
        roots = b64(case["root1"]), b64(case["root2"])
        verify_subtree_consistency(case["start"], case["end"], case["size"], *roots, path)


@pytest.mark.parametrize("kind", COUNTS)
def test_published_cases(kind, capsys):
    cases = json.loads(shared("vectors/merkle-vectors.json").read_text())[kind]
    wrong = []
    for case in cases:
        refused = fault_of(lambda case=case: _verify(kind, case))
        expected = case["wantErr"] or case["file"] in DUMMY_ROOTS
        if bool(refused) is not expected:
            wrong.append((case["file"], refused))
    assert wrong == []
    assert len(cases) == COUNTS[kind]
    refusals = sum(case["wantErr"] for case in cases)
    told(capsys, f"{kind}: {len(cases)} cases, {refusals} of them to be refused, all as stated")
