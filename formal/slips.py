"""Slips in definitions and statements. Each must break a proof: if none does, no theorem speaks of what it says."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from formal.sources import HERE, FormalError

HMM = "definitions/hmm.v"
MEMORY = "definitions/memory.v"
RULES = "statements/rules_memory.v"
MARGINS = "statements/margins.v"
NEAR_BORDER = "statements/near_border.v"
LEMMAS = "statements/rules_lemmas.v"
SOFTMAX = "statements/softmax.v"
STATEMENTS = "statements/memory.v"
CONVERSE = "statements/converse.v"


@dataclass(frozen=True)
class Slip:
    """In `file`, `wrong` instead of `right`; `right` stands there once. `what` is the slip in words."""

    what: str
    file: str
    right: str
    wrong: str

    def __str__(self) -> str:
        """In one line."""
        return f"{self.what} ({self.file}: {self.wrong})"


SLIPS = (
    Slip("A' on paths", HMM, "(state_at h0 hs i) (state_at h0 hs i.-1)", "(state_at h0 hs i.-1) (state_at h0 hs i)"),
    Slip("H_1 for H_0 in the task", HMM, "(posterior m (embed m x) 0))", "(posterior m (embed m x) 1))"),
    Slip("G not masked", HMM, "P_X (replace x i z) / masked_prob x i", "P_X (replace x i z) / P_X x"),
    Slip("1 - u for u", HMM, "(1 - u h) * emit m z h else u", "u h * emit m z h else fun h => 1 - u h"),
    Slip("p_0 for p_1 at the left", HMM, "letter_at v i h) else P_H 1", "letter_at v i h) else P_H 0"),
    Slip("p_0 for p_t at the right", HMM, "else P_H (size v)", "else P_H 0"),
    Slip("A' for A to the right", HMM, "trans m h' h * (right_message", "trans m h h' * (right_message"),
    Slip("A for A' to the left", HMM, "P_H i.-1 h' * trans m h h'", "P_H i.-1 h' * trans m h' h"),
    Slip("p_i for 1/p_i to the left", HMM, "trans m h h' / P_H i h", "trans m h h' * P_H i h"),
    Slip("p_i for 1/p_i in tau", HMM, "left_message v i h / P_H i h", "left_message v i h * P_H i h"),
    Slip("tau_t for tau_i", HMM, "else if i == size v then right", "else if i != size v then right"),
    Slip("no norm in Gbar", HMM, "tau v i h) / norm1 (tau v i)", "tau v i h)"),
    Slip("p_1 for p_0 in 3.2", HMM, "forall h, 0 < init m h", "forall h, 0 < P_H 1 h"),
    Slip(">= for > in 3.2", HMM, "exists n, 0 < trans_power n h' h", "exists n, 0 <= trans_power n h' h"),
    Slip("n divides d for d divides n in 3.2", HMM, "(d %| n)%N", "(n %| d)%N"),
    Slip("A' for A in entered", HMM, "exists h, 0 < trans m h' h", "exists h, 0 < trans m h h'"),
    Slip("some c_i for all c_i in 3.1", HMM, "forall i, i \\in D -> c i = 0", "exists2 i, i \\in D & c i = 0"),
    Slip(">= for > in 3.5", HMM, "[exists h in B, 0 < trans m h' h]", "[exists h in B, 0 <= trans m h' h]"),
    Slip("A' for A in 3.5", HMM, "[exists h in B, 0 < trans m h' h]", "[exists h in B, 0 < trans m h h']"),
    Slip("H* in supp(mu)", HMM, "supp mu \\subset Hstar", "Hstar \\subset supp mu"),
    Slip("= for != in supp(mu)", HMM, "mu l h != 0", "mu l h == 0"),
    Slip("the smallest label of equal scores", HMM, "(k <= l)%N", "(l <= k)%N"),
    Slip("arg min for arg max", HMM, "(score k < score l) ||", "(score l < score k) ||"),
    Slip("-mu for mu in the binary task", HMM, "l == ord0 then fun=> 0 else mu", "l == ord0 then mu else fun=> 0"),
    Slip("A' on paths", MEMORY, "(state_at h0 hs i) (state_at h0 hs i.-1)", "(state_at h0 hs i.-1) (state_at h0 hs i)"),
    Slip("other values of the cell in phi", MEMORY, "cells j == a", "cells j != a"),
    Slip("no norm in Gbar", MEMORY, "/ norm1 (phi (tau hbar v i))", ""),
    Slip("or for and in H*", MEMORY, "(h.1 == j) && (h.2 \\in S')]", "(h.1 == j) || (h.2 \\in S')]"),
    Slip("or for and in 4.2", MEMORY, "memory_column /\\ spans_meet_in_0", "memory_column \\/ spans_meet_in_0"),
    Slip("A' for A in 4.4", MEMORY, "\\sum_h mtrans m h' h * minit", "\\sum_h mtrans m h h' * minit"),
    Slip("the same cell for the others in C.5", MEMORY, "setX setT [set h | h.1 != j]", "setX setT [set h | h.1 == j]"),
    Slip(">= for > in R", MEMORY, "0 < P_X hbar x", "0 <= P_X hbar x"),
    Slip("< for > in R", MEMORY, "0 < masked_hidden x i h", "masked_hidden x i h < 0"),
    Slip("arg min for arg max over positions", MEMORY, "k.+1 <= attention_score i.+1", "i.+1 <= attention_score k.+1"),
    Slip("> for >= in the arg max over positions", MEMORY, "k.+1 <= attention_score i", "k.+1 < attention_score i"),
    Slip("+ for o in V", MEMORY, "dot (value a c) (g i) * emb i c", "(dot (value a c) (g i) + emb i c)"),
    Slip("decoys read where nothing is", RULES, "(exists z, column i f z != 0) ->", "(exists z, column i f z = 0) ->"),
    Slip("terms counted, not weighed", RULES, "(group_at c) == p) factor c", "(group_at c) == p) 1"),
    Slip("a token put twice for two exchanged", RULES, "(contested g) y') (decoy", "(contested g) y) (decoy"),
    Slip("the same row ahead of a later label", MARGINS, "else (k < l)%N", "else true"),
    Slip("the norm of one row for that of two", MARGINS, "e * norm1 (fun z => b l z - b k z)", "e * norm1 (b l)"),
    Slip("a skipped word not counted", MARGINS, "=> \\sum_h p h + \\sum_z left_out", "=> \\sum_z left_out"),
    Slip("shrunk before the first token", MARGINS, "(1 - r ^+ 2) ^+ size w", "(1 - r ^+ 2) ^+ (size w).+1"),
    Slip("no mass at a label", MARGINS, "0 < p h -> 0 < c h", "0 < p h -> 0 <= c h"),
    Slip("bounds that show no sign", NEAR_BORDER, "-2%:R <= a <= -1", "-2%:R <= a <= 1"),
    Slip("scores that are one number up to a position", SOFTMAX, "(n <= i)%N -> dot", "(i <= n)%N -> dot"),
    Slip("one cause for the number of causes", NEAR_BORDER, "* #|leading j|%:R *", "*"),
    Slip("what combines to 0 for what does not", LEMMAS, "weight t * tau t h != 0", "weight t * tau t h = 0"),
    Slip("rows that show nothing", LEMMAS, "(exists t, 0 < reads t)", "(exists t, 0 <= reads t)"),
    Slip("both 0 for one of them 0", LEMMAS, "(init m h == 0) != (P_H", "(init m h == 0) == (P_H"),
    Slip("p_1 for p_2 where p_0 covers", LEMMAS, "0 < P_H m 2 h -> 0 < init m h", "0 < P_H m 1 h -> 0 < init m h"),
    Slip("p_1 for p_2 in B.2", LEMMAS, "init m h = 0 -> 0 < P_H m 2 h", "init m h = 0 -> 0 < P_H m 1 h"),
    Slip("what leads to g for what leads to h", LEMMAS, "0 < trans m h f * P_H m 1 f", "0 < trans m g f * P_H m 1 f"),
    Slip("one score twice", LEMMAS, "<> dot (mu k)", "<> dot (mu l)"),
    Slip("an impossible memory that moves", LEMMAS, "0 < memory_prob m g.1", "0 <= memory_prob m g.1"),
    Slip("p_0 for p_1 in C.12", LEMMAS, "P_H (chain m) 1 h = 0", "P_H (chain m) 0 h = 0"),
    Slip("p_2 for p_1 in C.15", LEMMAS, "u g * P_H (hbar m) 1 g", "u g * P_H (hbar m) 2 g"),
    Slip("p_0 for p_1 in C.14", LEMMAS, "(\\sum_g second g * beta g)", "(\\sum_g first g * beta g)"),
    Slip("values of other tokens", LEMMAS, "r * (mu l c.1 * memit m z c)", "r * mu l c.1"),
    Slip("an unwanted position without weight", LEMMAS, "(word t) -> 0 < weight", "(word t) -> 0 <= weight"),
    Slip("scores of positions that do not cancel", LEMMAS, "there t == p :> nat", "there t != p :> nat"),
    Slip("the law of the other columns", LEMMAS, "== (b, h)) masked_joint", "!= (b, h)) masked_joint"),
    Slip("the law of the other columns, behind u", LEMMAS, "== (b, h)) hat_masked", "!= (b, h)) hat_masked"),
    Slip("values that are worth nothing", LEMMAS, "exists t, 0 < worth t", "exists t, 0 <= worth t"),
    Slip("values where nothing is read", LEMMAS, "i.+2 z != 0) place", "i.+2 z = 0) place"),
    Slip("other memories in C.13", STATEMENTS, "g.1 j == a) joint (hbar m) (hat", "g.1 j != a) joint (hbar m) (hat"),
    Slip("a readout without its law", CONVERSE, "emit m z h * (w h * v h)", "emit m z h * v h"),
    Slip("p_0 reaches p_1", CONVERSE, "0 < init m h -> 0 < P_H m 1 h", "0 < P_H m 1 h -> 0 < init m h"),
)


def planted(slip: Slip, build: Callable[[Path], None], folder: Path = HERE) -> str:
    """Build a copy with the slip, and return where a proof breaks first, or nothing where none does.

    Raises `FormalError` where the text does not stand in the file, or more than once; and where a definition or a
    statement no longer makes sense, which no proof can tell.
    """
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(shutil.copytree(folder, Path(scratch, "formal")))
        source = (copy / slip.file).read_text(encoding="utf-8")
        if source.count(slip.right) != 1:
            raise FormalError(f"{slip}: '{slip.right}' stands there {source.count(slip.right)} times")
        (copy / slip.file).write_text(source.replace(slip.right, slip.wrong), encoding="utf-8")
        try:
            build(copy)
        except FormalError as error:
            broken = re.search(r'File "\./(.*)", line \d+(?=.*\nError)', str(error))
            if not broken or not broken[1].startswith("proofs/"):
                raise FormalError(f"{slip}: {error}") from None
            return broken[0]
    return ""
