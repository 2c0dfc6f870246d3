"""Claims about vanilla models and their evidence (docs/certificate-format.md, sections 2 to 7, 9 and 13), in Rocq.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verify.rocq.lemmas import LEMMAS
from verify.rocq.literals import (
    cleared,
    integers,
    listed,
    matrix,
    over_unit,
    placed,
    rational,
    rationals,
    spans,
    task_rows,
    terms_of,
    weighted,
)
from verify.rocq.theorem import DECIDED, Certificate, NotCoveredError, Part, RocqFile, applied, theorem_name, words_tree

READS = {"3.3": "G m (E :: x) 1", "3.6": "Gbar m ({u} :: embed m (E :: x)) 2"}
"""For each theorem, the output that a head reads."""
SERVES = {
    statement: "forall (E : 'I_{c}) (x : seq 'I_{c}), is_input m x ->\n"
    f"    F_star m mu x = linear_head {{b}} ({output})"
    for statement, output in READS.items()
}
"""For each theorem, the proposition that a head gives every input its label F*."""
SOME = {
    "3.3": "exists b : 'I_{K} -> 'I_{c} -> R,\n    ",
    "3.6": "exists (u : letter R (ordinal_finType {n})) (b : 'I_{K} -> 'I_{c} -> R), is_prompt u /\\\n    ",
}
CLASS = {
    "3.3": "linear head b on G_1(x'), x' = (E, x)",
    "3.6": "prompt u and linear head b on Gbar_2(u, e(E), e(x_1), ..., e(x_t))",
}
SUPPORT = """\
Definition support : seq bool :=
  let T := tables_of {last} {tokens} initial transition emission in
  let p := iter {n} (times_A T) (p0 T) in [seq (0 <? get p h)%coqZ | h <- iota 0 {n}]."""
"""The states that are possible for H_n, for n states.

If every state that is possible for H_0 is possible for H_1, these are all states that are possible at some time.
"""
Written = tuple[str, dict[str, str]]
"""The definitions of evidence, and the arguments by which a theorem takes the evidence, by name."""


class VanillaFile(RocqFile):
    """The file of a claim about a vanilla model."""

    statements = (*SERVES, *LEMMAS)
    names = "R m mu"
    inputs = domain = "is_input m"
    label = "F_star m mu"
    has_label, has_one_label = "has_label", "has_one_label"

    def __init__(self, certificate: Certificate) -> None:
        """Read the fields that the parts of the claim share."""
        super().__init__(certificate)
        self.module = "page" if self.statement in SERVES else "lemmas"
        self.sizes = {"n": len(self.model["initial"]), "c": len(self.model["emission"]), "K": len(self.rows)}
        self.head_terms = {"b": "head", "u": "prompt"} if self.statement == "3.6" else {"b": "head"}
        self.quantified = "let m := model R in let mu := @matrix R mu {K} {n} in".format(**self.sizes)

    def model_text(self) -> str:
        """Write the model."""
        return f"""\
(** P[H_0 = h], for the states h = 0, 1, ... *)
Definition initial : seq Q := {rationals(self.model["initial"])}%coqQ.
(** Row h' has A[h',h] = P(H_i = h' | H_(i-1) = h), for h = 0, 1, ... *)
Definition transition : seq (seq Q) :=
  {matrix(self.model["transition"])}%coqQ.
(** Row z has W[z,h] = P(X_i = z | H_i = h), for h = 0, 1, ... *)
Definition emission : seq (seq Q) :=
  {matrix(self.model["emission"])}%coqQ.
(** The task: row l has mu_l[h]. A file with one vector mu has the labels 0 and 1, and the rows 0 and mu. *)
Definition mu : seq (seq Q) :=
  {matrix(self.rows)}%coqQ.

Lemma laws : valid_hmm (table {self.sizes["n"] - 1} {self.sizes["c"] - 1} initial transition emission).
Proof. {DECIDED}. Qed.
Definition model (R : realFieldType) := of_hmm_table R laws."""

    def head_parts(self) -> Iterator[Part]:
        """Write the parts of a claim about a head, or about its margin, in order."""
        if self.claim["prompt"]:
            proof = f"apply: (prompt_okP (n := {self.sizes['n'] - 1}) (u := prompt)); {DECIDED}"
            yield Part("The prompt is in [0,1]^|H|.", f"is_prompt {self._head_of_claim()[1]}", proof)
        yield self._this_head() if self.claim["kind"] == "head" else self._margin()

    def _assumption(self, name: str, holds: bool, evidence: dict[str, Any] | None) -> Part:
        sentence, proposition = {
            "3.1": ("the columns of W are independent", "assumption_3_1 m"),
            "3.2:ergodic": ("the chain is irreducible and aperiodic", "irreducible m /\\ aperiodic m"),
            "3.2:full-support": ("every P[H_0 = h] > 0", "full_support m"),
            "3.5": ("some H*, the union of supp(A[:,f]), f in some B, has supp(mu), and independent columns",
                    "assumption_3_5 m mu"),
        }[name]  # fmt: skip
        definitions, terms = self._assumption_evidence(name, evidence)
        theorem = applied(theorem_name(holds, name), **terms)
        word = "holds" if holds else "is violated; it says"
        proposition = proposition if holds else f"~ ({proposition})"
        return Part(f"Assumption {name} {word}: {sentence}.", proposition, theorem, definitions)

    def _assumption_evidence(self, name: str, evidence: dict[str, Any] | None) -> Written:
        if evidence is None:
            return "", {}
        kind = evidence["kind"]
        if kind in ("left-inverse", "minor"):
            independence = evidence["matrix"] if kind == "left-inverse" else evidence
            return self._independence(independence, range(self.sizes["n"])), {"e": "independence"}
        if kind == "null-vector":
            return f"Definition null_vector : seq Z := {listed(cleared(evidence['vector'])[0])}%coqZ.", {
                "v": "null_vector"
            }
        if kind == "cover":
            return (
                f"Definition prompt_states : seq nat := {listed(evidence['prompt_states'])}.\n"
                + self._independence(evidence["left_inverse"], evidence["recoverable"]),
                {"B": "prompt_states", "e": "independence"},
            )
        if kind == "no-cover":

            def tree(i: int) -> str:
                node, *rest = evidence["nodes"][i]
                if node == "dependent":
                    return f"DependentZ (nth [::] null_vectors {rest[0]})"
                state, pairs = rest
                children = [f"if f == {f} then {tree(child)} else\n  " for f, child in pairs]
                return f"CoverZ {state} (fun f => {''.join(children)}DependentZ [::])"

            return (
                f"Definition null_vectors : seq (seq Z) := {integers(evidence['null_vectors'])}.\n"
                f"Definition no_cover : cover_tree_z := {tree(0)}.",
                {"t": "no_cover"},
            )
        raise NotCoveredError(f"{name} by {kind}")

    def _independence(self, evidence: Any, states: Sequence[int], name: str = "independence") -> str:
        """Write the evidence that the columns W[:,h] of these states are independent: a left inverse, or a minor."""
        if isinstance(evidence, list):
            rows = placed(evidence, states, self.sizes["n"], self.sizes["c"])
            return f"Definition {name} : columns_z := DualZ {rows}."
        tokens, modulus = evidence["tokens"], evidence["modulus"]
        emission = cleared(*self.model["emission"])
        minor = [[emission[token][state] for state in states] for token in tokens]
        return (
            f"Definition {name} : columns_z := MinorZ {listed(tokens)} {modulus}%coqZ\n"
            f"  {matrix(_inverse(minor, modulus), listed)}%coqZ."
        )

    def _lemma(self, evidence: dict[str, Any]) -> Part:
        holds, kind = self.holds, evidence["kind"]
        text, proposition = LEMMAS[self.statement]
        if kind in ("cover", "no-cover"):
            definitions, terms = self._assumption_evidence("3.5", evidence)
            definitions = f"Module Conclusion.\n{definitions}\nEnd Conclusion."
            terms = {name: f"Conclusion.{term}" for name, term in terms.items()}
        else:
            definitions, terms = self._lemma_evidence(evidence)
        names = {"remark-3.5": "3.5", "3.6:zero": "3.6:zero_no_cover" if kind == "no-cover" else "3.6:zero"}
        sentence = f"On this model it {'holds' if holds else 'fails'}: {text}."
        written = proposition.format(**self.sizes)
        theorem = applied(theorem_name(holds, names.get(self.statement, self.statement)), **terms)
        if kind == "size":
            theorem = "rewrite !card_ord"
        return Part(sentence, written if holds else f"~ ({written})", theorem, definitions)

    def _lemma_evidence(self, evidence: dict[str, Any]) -> Written:
        kind = evidence["kind"]
        if kind == "inverse" and evidence["spans"] is None:
            return self._independence(evidence["matrix"], range(self.sizes["n"]), "inverse"), {"e": "inverse"}
        if kind in ("inverse", "unreached"):
            raise NotCoveredError(f"{self.statement} by {kind}{' with spans' if kind == 'inverse' else ''}")
        terms = terms_of(evidence)
        if kind == "diagonals":
            return SUPPORT.format(**self.sizes, last=self.sizes["n"] - 1, tokens=self.sizes["c"] - 1), {"S": "support"}
        if kind == "no-output-diagonal":
            words, rows = zip(*evidence["terms"], strict=True)
            terms = {"xs": listed(words, listed), "y": f"{matrix(rows)}%coqQ"}
        if "prompt" not in evidence:
            return "", terms
        return _prompt(evidence["prompt"]["u"]), {"u": "prompt", **terms}

    def _conclusion(self, evidence: dict[str, Any]) -> Part:
        if self.statement in LEMMAS:
            return self._lemma(evidence)
        theorem = theorem_name(self.holds, self.statement)
        some = (SOME[self.statement] + SERVES[self.statement]).format(b="b", u="u", **self.sizes)
        if self.holds:
            definitions, terms = self._agreement(evidence)
        elif evidence["kind"] == "near-border":
            theorem += "_near_border"
            definitions, terms = _near_border(evidence, self.model), {"B": "border"}
        else:
            definitions, terms = _refutation(evidence)
        sentence = f"{'Some' if self.holds else 'No'} {CLASS[self.statement]} gives every input x its label F*(x)."
        return Part(sentence, some if self.holds else f"~ {some}", applied(theorem, **terms), definitions)

    def _agreement(self, evidence: dict[str, Any]) -> Written:
        serves = f"OnSpansZ {spans(evidence['spans'])}" if evidence["spans"] else f"TreeZ ({words_tree(evidence)})"
        definition = f"Definition serves : serves_z := {serves}."
        head = f"\n{_head(evidence)}" if "head" in evidence else ""
        return f"{definition}{head}", {**self.head_terms, "s": "serves"}

    def _this_head(self) -> Part:
        number = self.statement.replace(".", "_")
        definitions, (head, prompt) = _head(self.claim), self._head_of_claim()
        serves = SERVES[self.statement].format(b=head, u=prompt, **self.sizes)
        if self.holds:
            nodes, terms = self._agreement(self.evidence)
            theorem = applied(f"this_head_{number}", **terms)
            return Part("This head gives every input x its label F*(x).", serves, theorem, f"{definitions}\n{nodes}")
        theorem = applied(f"not_this_head_{number}", **self.head_terms, x=listed(self.evidence["input"]))
        return Part("This head gives some input x another label than F*(x).", f"~ {serves}", theorem, definitions)

    def _margin(self) -> Part:
        claim = self.claim
        definitions, (head, prompt) = _head(claim), self._head_of_claim()
        error, left_out, ties = rational(claim["error"]), rational(claim["except"]), str(claim["ties"]).lower()
        sentence = (
            f"With this head any error below {claim['error']}, in the sup norm of the output that it reads, changes "
            f"the label F*(x) of no input x, but for inputs left out: at each length some of probability at most "
            f"{claim['except']}{', and ties' if claim['ties'] else ''}."
        )
        proposition = (
            f"forall E : 'I_{self.sizes['c']}, margin_claim m {head}\n"
            f"    (of_Q R ({error})%coqQ) {ties} (F_star m mu)\n"
            f"    (fun x => {READS[self.statement].format(u=prompt)}) (of_Q R ({left_out})%coqQ)"
        )
        definitions += (
            f"\nDefinition nodes : margin_tree_z := {words_tree(self.evidence, 'Margin', 'margin_children')}."
        )
        terms = {"e": f"({error})%coqQ", "q": f"({left_out})%coqQ", "ties": ties, "t": "nodes"}
        theorem = applied(f"this_margin_{self.statement.replace('.', '_')}", **self.head_terms, **terms)
        return Part(sentence, proposition, theorem, definitions)

    def _head_of_claim(self) -> tuple[str, str]:
        """Write the rows of the claim's head as a matrix in Rocq, and its prompt as a vector; without a prompt, ""."""
        prompt = self.claim["prompt"]
        head = f"(@matrix R {matrix(task_rows(self.claim['head']['b']))}%coqQ {self.sizes['K']} {self.sizes['c']})"
        return head, f"(@vector R {rationals(prompt['u'])}%coqQ {self.sizes['n']})" if prompt else ""


def _inverse(rows: Sequence[Sequence[int]], modulus: int) -> list[list[int]]:
    """Invert a square matrix modulo a prime. Where it has no inverse, return rows that Rocq does not accept."""
    work = [[*row, *(int(i == j) for j in range(len(rows)))] for i, row in enumerate(rows)]
    for left in range(len(rows), 0, -1):  # the first column goes, and the row of its pivot comes last
        head, *pivot = work.pop(next((i for i in range(left) if work[i][0] % modulus), 0))
        factor = pow(head, modulus - 2, modulus)  # 1 / head, by Fermat; 0 of 0
        pivot = [x * factor % modulus for x in pivot]
        work = [[(x - first * y) % modulus for x, y in zip(row, pivot, strict=True)] for first, *row in work]
        work.append(pivot)
    return work


def _head(item: dict[str, Any]) -> str:
    """Write the definitions of a head and of its prompt, if it has one."""
    head = f"Definition head : seq (seq Q) :=\n  {matrix(task_rows(item['head']['b']))}%coqQ."
    return f"{head}\n{_prompt(item['prompt']['u'])}" if item["prompt"] else head


def _prompt(u: Sequence[str]) -> str:
    return f"Definition prompt : seq Q := {rationals(u)}%coqQ."


def _multipliers(
    evidence: dict[str, Any], constraints: Sequence[Sequence[Any]], weights: Sequence[Sequence[int]] = ()
) -> str:
    """Write constraints, with the input itself where a constraint has the index of an input.

    `weights`, if given, replace the constraints' own multipliers.
    """
    return weighted([[evidence["inputs"][i], *rest] for i, *rest in constraints], weights, ";\n    ")


def _refutation(evidence: dict[str, Any]) -> Written:
    """Write the evidence that no head of the class gives every input its label."""
    if evidence["kind"] == "no-linear-head":
        text = _multipliers(evidence, evidence["constraints"])
        return f"Definition constraints : multipliers :=\n  {text}.", {"cs": "constraints"}

    def tree(i: int) -> str:
        kind, *rest = evidence["nodes"][i]
        if kind == "sign":
            label, state, plus, minus = rest
            return f"SignZ {label} {state} ({tree(plus)}) ({tree(minus)})"
        if kind == "halve":
            state, border, low, high = rest
            return f"HalveZ {state} ({rational(border)})%coqQ ({tree(low)}) ({tree(high)})"
        constraints, parts = rest
        return f"MotzkinZ {_multipliers(evidence, constraints)} {weighted(parts)}"

    first, *rest = evidence["nodes"][0]
    if first != "largest":
        return f"Definition regions : root_z := PlainZ ({tree(0)}).", {"t": "regions"}
    children, zero = rest
    text = evidence["inputs"][evidence["nodes"][zero][1]]
    nodes = listed(children, tree, ";\n  ")
    return f"Definition regions : root_z := LargestZ {nodes} {listed(text)}.", {"t": "regions"}


def _near_border(evidence: dict[str, Any], model: dict[str, Any]) -> str:
    """Write the evidence `near-border` that no prompt and head serve every input: its bounds and its tree."""
    tables = f"(tables_of {len(model['initial']) - 1} {len(model['emission']) - 1} initial transition emission)"

    def bound(constraints: Sequence[Sequence[Any]]) -> str:
        unit, weights = over_unit([weight for _, _, weight in constraints])
        return f"({unit}%coqZ, {_multipliers(evidence, constraints, [[weight] for weight in weights])})"

    def tree(i: int) -> str:
        kind, *rest = evidence["nodes"][i]
        if kind == "by":
            state, children = rest
            place = f"index f [seq f <- iota 0 {len(model['initial'])} | leads {tables} {state} f]"
            return f"ByZ {state} (fun f => nth (RelationZ [::] [::]) {listed(children, tree)} ({place}))"
        weights, leaning = rest
        [row] = cleared([*(t for _, t in weights), *(r for _, _, r in leaning)])
        ts = [f"({state}, {t}%coqZ)" for (state, _), t in zip(weights, row, strict=False)]
        rs = [f"({h}, {j}, ({r})%coqZ)" for (h, j, _), r in zip(leaning, row[len(weights) :], strict=True)]
        return f"RelationZ {listed(ts)} {listed(rs)}"

    unit, sizes = over_unit(evidence["sizes"])
    return f"""\
Definition border : border_z := BorderZ
  {listed(evidence["inputs"], listed)} {evidence["first"]} {listed(evidence["signed"])}
  {unit}%coqZ {listed(sizes)}%coqZ
  {listed(evidence["bounds"], lambda lists: listed(lists, bound), ";" + chr(10) + "    ")}
  ({tree(0)})."""
