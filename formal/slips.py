"""Slips: errors that are planted in definitions and statements. Each must break a proof.

If a slip breaks no proof, then no theorem depends on the text that it alters.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from formal.sources import HERE, FormalError


@dataclass(frozen=True)
class Slip:
    """An error in `file`: `wrong` in the place of `right`, which stands there once. `what` has the error in words."""

    file: str
    what: str
    right: str
    wrong: str

    def __str__(self) -> str:
        """The slip in one line."""
        return f"{self.what} ({self.file}: {self.wrong})"


_SLIPS = {
    "definitions/hmm.v": (
        ("A' on paths", "(state_at h0 hs i) (state_at h0 hs i.-1)", "(state_at h0 hs i.-1) (state_at h0 hs i)"),
        ("H_1 for H_0 in the task", "(posterior m (embed m x) 0))", "(posterior m (embed m x) 1))"),
        ("G not masked", "P_X (replace x i z) / masked_prob x i", "P_X (replace x i z) / P_X x"),
        ("1 - u for u", "(1 - u h) * emit m z h else u", "u h * emit m z h else fun h => 1 - u h"),
        ("p_0 for p_1 at the left", "letter_at v i h) else P_H 1", "letter_at v i h) else P_H 0"),
        ("p_0 for p_t at the right", "else P_H (size v)", "else P_H 0"),
        ("A' for A to the right", "trans m h' h * (right_message", "trans m h h' * (right_message"),
        ("A for A' to the left", "P_H i.-1 h' * trans m h h'", "P_H i.-1 h' * trans m h' h"),
        ("p_i for 1/p_i to the left", "trans m h h' / P_H i h", "trans m h h' * P_H i h"),
        ("p_i for 1/p_i in tau", "left_message v i h / P_H i h", "left_message v i h * P_H i h"),
        ("tau_t for tau_i", "else if i == size v then right", "else if i != size v then right"),
        ("no norm in Gbar", "tau v i h) / norm1 (tau v i)", "tau v i h)"),
        ("p_1 for p_0 in 3.2", "forall h, 0 < init m h", "forall h, 0 < P_H 1 h"),
        (">= for > in 3.2", "exists n, 0 < trans_power n h' h", "exists n, 0 <= trans_power n h' h"),
        ("n divides d for d divides n in 3.2", "(d %| n)%N", "(n %| d)%N"),
        ("A' for A in entered", "exists h, 0 < trans m h' h", "exists h, 0 < trans m h h'"),
        ("some c_i for all c_i in 3.1", "forall i, i \\in D -> c i = 0", "exists2 i, i \\in D & c i = 0"),
        (">= for > in 3.5", "[exists h in B, 0 < trans m h' h]", "[exists h in B, 0 <= trans m h' h]"),
        ("A' for A in 3.5", "[exists h in B, 0 < trans m h' h]", "[exists h in B, 0 < trans m h h']"),
        ("H* in supp(mu)", "supp mu \\subset Hstar", "Hstar \\subset supp mu"),
        ("= for != in supp(mu)", "mu l h != 0", "mu l h == 0"),
        ("the smallest label of equal scores", "(k <= l)%N", "(l <= k)%N"),
        ("arg min for arg max", "(score k < score l) ||", "(score l < score k) ||"),
        ("-mu for mu in the binary task", "l == ord0 then fun=> 0 else mu", "l == ord0 then mu else fun=> 0"),
    ),
    "definitions/memory.v": (
        ("A' on paths", "(state_at h0 hs i) (state_at h0 hs i.-1)", "(state_at h0 hs i.-1) (state_at h0 hs i)"),
        ("other values of the cell in phi", "cells j == a", "cells j != a"),
        ("no norm in Gbar", "/ norm1 (phi (tau hbar v i))", ""),
        ("or for and in H*", "(h.1 == j) && (h.2 \\in S')]", "(h.1 == j) || (h.2 \\in S')]"),
        ("or for and in 4.2", "memory_column /\\ spans_meet_in_0", "memory_column \\/ spans_meet_in_0"),
        ("A' for A in 4.4", "\\sum_h mtrans m h' h * minit", "\\sum_h mtrans m h h' * minit"),
        ("the same cell for the others in C.5", "setX setT [set h | h.1 != j]", "setX setT [set h | h.1 == j]"),
        (">= for > in R", "0 < P_X hbar x", "0 <= P_X hbar x"),
        ("< for > in R", "0 < masked_hidden x i h", "masked_hidden x i h < 0"),
        ("arg min for arg max over positions", "k.+1 <= attention_score i.+1", "i.+1 <= attention_score k.+1"),
        ("> for >= in the arg max over positions", "k.+1 <= attention_score i", "k.+1 < attention_score i"),
        ("+ for o in V", "dot (value a c) (g i) * emb i c", "(dot (value a c) (g i) + emb i c)"),
    ),
    "statements/rules_memory.v": (
        ("decoys read where nothing is", "(exists z, column i f z != 0) ->", "(exists z, column i f z = 0) ->"),
        ("terms counted, not weighed", "(group_at c) == p) factor c", "(group_at c) == p) 1"),
        ("a token put twice for two exchanged", "(contested g) y') (decoy", "(contested g) y) (decoy"),
    ),
    "statements/margins.v": (
        ("the same row ahead of a later label", "else (k < l)%N", "else true"),
        ("the norm of one row for that of two", "e * norm1 (fun z => b l z - b k z)", "e * norm1 (b l)"),
        ("a skipped word not counted", "=> \\sum_h p h + \\sum_z left_out", "=> \\sum_z left_out"),
        ("shrunk before the first token", "(1 - r ^+ 2) ^+ size w", "(1 - r ^+ 2) ^+ (size w).+1"),
        ("no mass at a label", "0 < p h -> 0 < c h", "0 < p h -> 0 <= c h"),
    ),
    "statements/near_border.v": (
        ("bounds that show no sign", "-2%:R <= a <= -1", "-2%:R <= a <= 1"),
        ("one cause for the number of causes", "* #|leading j|%:R *", "*"),
    ),
    "statements/softmax.v": (
        ("scores that are one number up to a position", "(n <= i)%N -> dot", "(i <= n)%N -> dot"),
    ),
    "statements/rules_lemmas.v": (
        ("what combines to 0 for what does not", "weight t * tau t h != 0", "weight t * tau t h = 0"),
        ("rows that show nothing", "(exists t, 0 < reads t)", "(exists t, 0 <= reads t)"),
        ("both 0 for one of them 0", "(init m h == 0) != (P_H", "(init m h == 0) == (P_H"),
        ("p_1 for p_2 where p_0 covers", "0 < P_H m 2 h -> 0 < init m h", "0 < P_H m 1 h -> 0 < init m h"),
        ("p_1 for p_2 in B.2", "init m h = 0 -> 0 < P_H m 2 h", "init m h = 0 -> 0 < P_H m 1 h"),
        ("what leads to g for what leads to h", "0 < trans m h f * P_H m 1 f", "0 < trans m g f * P_H m 1 f"),
        ("one score twice", "<> dot (mu k)", "<> dot (mu l)"),
        ("an impossible memory that moves", "0 < memory_prob m g.1", "0 <= memory_prob m g.1"),
        ("p_0 for p_1 in C.12", "P_H (chain m) 1 h = 0", "P_H (chain m) 0 h = 0"),
        ("p_2 for p_1 in C.15", "u g * P_H (hbar m) 1 g", "u g * P_H (hbar m) 2 g"),
        ("p_0 for p_1 in C.14", "(\\sum_g second g * beta g)", "(\\sum_g first g * beta g)"),
        ("values of other tokens", "r * (mu l c.1 * memit m z c)", "r * mu l c.1"),
        ("an unwanted position without weight", "(word t) -> 0 < weight", "(word t) -> 0 <= weight"),
        ("scores of positions that do not cancel", "there t == p :> nat", "there t != p :> nat"),
        ("the law of the other columns", "== (b, h)) masked_joint", "!= (b, h)) masked_joint"),
        ("the law of the other columns, behind u", "== (b, h)) hat_masked", "!= (b, h)) hat_masked"),
        ("values that are worth nothing", "exists t, 0 < worth t", "exists t, 0 <= worth t"),
        ("values where nothing is read", "i.+2 z != 0) place", "i.+2 z = 0) place"),
    ),
    "statements/memory.v": (
        ("other memories in C.13", "g.1 j == a) joint (hbar m) (hat", "g.1 j != a) joint (hbar m) (hat"),
    ),
    "statements/converse.v": (
        ("a readout without its law", "emit m z h * (w h * v h)", "emit m z h * v h"),
        ("p_0 reaches p_1", "0 < init m h -> 0 < P_H m 1 h", "0 < P_H m 1 h -> 0 < init m h"),
    ),
}
"""By file: the slip in words, the right text, which stands in the file once, and the wrong text."""

SLIPS = [Slip(file, *slip) for file, slips in _SLIPS.items() for slip in slips]


def planted(slip: Slip, build: Callable[[Path], None], folder: Path = HERE) -> str:
    """Build a copy of `folder` with the slip. Return the place at which a proof breaks first; "" if no proof breaks.

    Raises `FormalError` if the right text does not stand in the file exactly once. Raises it also if the build breaks
    outside `proofs`: then a definition or a statement may not be well-formed, and the slip says nothing about proofs.
    """
    with tempfile.TemporaryDirectory() as scratch:
        copy = shutil.copytree(folder, Path(scratch, "formal"))
        path = copy / slip.file
        source = path.read_text(encoding="utf-8")
        if source.count(slip.right) != 1:
            raise FormalError(f"{slip}: '{slip.right}' stands there {source.count(slip.right)} times")
        path.write_text(source.replace(slip.right, slip.wrong), encoding="utf-8")
        try:
            build(copy)
        except FormalError as error:
            broken = re.search(r'File "\./(.*)", line \d+(?=.*\nError)', str(error))
            if not broken or not broken[1].startswith("proofs/"):
                raise FormalError(f"{slip}: {error}") from None
            return broken[0]
    return ""
