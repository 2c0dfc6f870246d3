"""Claims about memory models and their evidence (docs/certificate-format.md, sections 10 and 11), in Rocq."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verify.rocq.literals import (
    cleared,
    integers,
    listed,
    matrix,
    placed,
    rationals,
    task_rows,
    terms_of,
    weighted,
)
from verify.rocq.theorem import DECIDED, Certificate, NotCoveredError, Part, RocqFile, applied, theorem_name

LEMMAS = {
    "C.1": "m: G_i(x) is W times the law of the column (M_J, H_i) given x_-i",
    "C.2": "m {last} j s: some q and Theta_K attend to exactly Ihat(x), for every x in R",
    "C.3": "m j s: some matrices read the laws of H_i = h, and of (M_j*, H_i = h), off G_i(x), for h in H*",
    "C.4": "m mu j s: some values are r mu_l'P[M_j* | X = x], r > 0, for every x in R and i in Ihat(x)",
    "C.7": "m: behind every prompt message passing gives P[Hbar_i, Xhat_-i = xhat_-i], and so Gbar_i",
    "C.8": "m: P[M, H_i, X_(i+1:i+t) = x] = P[M, H_0, X_(1:t) = x]",
    "C.9": "m mu j s: some keys attend to exactly Ihat(x), one later, where xhat_-i is possible for i = 1..t",
    "C.9:all-positions": "m mu j s: some keys attend to just Ihat(x), one later, where all xhat_-i are possible",
    "C.9:attends": "m mu j s: some keys attend to exactly the positions that are surely in H* behind the prompt",
    "C.10": "m mu j s: some matrices read what those of C.3 do off Gbar_i(ehat(x)), where xhat_-i is possible",
    "C.11": "m mu j: behind the prompt M_j* is in supp(mu)",
    "C.12": "m mu j: behind the prompt H_i has no states that H_(i-1) has not without it",
    "C.13": "m mu j s: some values behind the prompt are r mu_l'P[M_j* | X = x], r > 0, at Ihat(x), or 0",
    "C.14": "m mu j: mu_l'P[M_j* | Xhat = xhat] = mu_l'P[M_j* | X = x] / P(Xhat_1 = ztilde | Xhat_(2:) = x)",
    "C.15": "m mu j: mu_l'P[M_j* | X = x] = 0 for every input x with xhat impossible",
}
"""For each lemma: the arguments of its proposition `says_...` in `formal/statements/memory_lemmas.v` and a sentence."""
ON_R = ("C.2", "C.4", "C.9", "C.9:all-positions", "C.9:attends", "C.13")
"""The lemmas about inputs in R."""
INDEPENDENT = "those of H* are independent, and their span meets that of the others in 0"
ASSUMPTIONS = {
    "3.2:ergodic": (
        "the chain is irreducible and aperiodic",
        "irreducible (chain m) /\\ aperiodic (chain m)",
        "memory_ergodic",
    ),
    "3.2:full-support": ("every P[H_0 = h] > 0", "full_support (chain m)", "memory_full_support"),
    "4.4:stationary": ("A P[H_0] = P[H_0]", "stationary m", "stationary"),
    "4.2": (f"of all columns, {INDEPENDENT}", "assumption_4_2 m j s", "4_2"),
    "4.5": (f"of the columns with m in supp(mu), {INDEPENDENT}", "assumption_4_5 m (supp mu) (recoverable j s)", "4_5"),
    "C.5": (
        f"of the columns with m in supp(mu), or of another cell, {INDEPENDENT}",
        "assumption_C_5 m (supp mu) j s",
        "C_5",
    ),
}
"""For each assumption: a sentence, the proposition for H* = {j*} x S*, and the end of the names of its theorems."""
HEAD = "(h : attention R {N} (ordinal_finType {a}) (ordinal_finType {b}) (ordinal_finType {c}) {last})"
SERVES = {
    False: "forall x, in_R m (recoverable j s) x ->\n"
    "    memory_F_star m mu j x = attention_head {h} (size x) (G (hbar m) x) (letter_at (map {e} x))",
    True: "forall x, in_R m (recoverable j s) x ->\n"
    "    memory_F_star m mu j x =\n"
    "      attention_head {h} (size x).+1 (memory_Gbar m (ehat m {u} x)) (fun i => phi (letter_at (ehat m {u} x) i))",
}
"""The proposition that a head gives every x in R its label F*; the key says whether there is a prompt."""
SOME = {
    False: f"exists {HEAD}\n"
    "    (e : 'I_{c} -> letter R (cell_state {N} (ordinal_finType {a}) (ordinal_finType {b}))),\n    ",
    True: f"exists (u : letter R (full {{N}} (ordinal_finType {{a}}) (ordinal_finType {{b}}))) {HEAD},\n"
    "    is_prompt u /\\\n    ",
}


class MemoryFile(RocqFile):
    """The Rocq file of a claim about a memory model."""

    statements = ("4.3", "4.6", "C.6", *LEMMAS)
    module, names = "memory_failures", "R m mu j s"
    inputs = domain = "is_input (hbar m)"
    label = "memory_F_star m mu j"
    has_label, has_one_label = "has_input_label", "has_memory_one_label"

    def __init__(self, certificate: Certificate) -> None:
        """Read the fields that the parts of the claim share."""
        super().__init__(certificate)
        self.prompted: bool = self.statement not in ("4.3", "C.2", "C.4")
        self.number = "C_6" if self.prompted else "4_3"
        self.head_terms = {"hd": "head", "u": "prompt"} if self.prompted else {"hd": "head", "E": "embedding"}
        if self.statement not in LEMMAS or self.statement in ON_R:
            self.domain, self.where = "in_R m (recoverable j s)", "is in R, and "
            self.has_label = "has_memory_label"
        emission, labels = self.model["emission"], len(self.rows)
        values, cells, syntax = len(emission[0]), len(emission[0][0]), len(emission[0][0][0])
        self.sizes = {"N": cells, "a": values, "b": syntax, "c": len(emission), "K": labels, "last": labels - 1}
        self.first: int = self.model["task"]["cell"] * syntax  # the hidden state (j*,0)
        self.syntax = [state - self.first for state in self.claim["recoverable"] or ()]
        self.quantified = (
            "let m := model R in let mu := @memory_task R mu {K} {a} in\n"
            "  let j := inord cell : 'I_{N} in let s := [set t : ordinal_finType {b} | val t \\in syntax] in"
        ).format(**self.sizes)

    def model_text(self) -> str:
        """Write the model, its task, a proof that its laws are valid, and the head if the claim is about a head."""
        model, sizes = self.model, self.sizes
        arguments = " ".join(str(sizes[name] - 1) for name in "Nabc")
        head = f"\n\n{self._head_text(self.claim)}" if self.claim["kind"] == "head" else ""
        return f"""\
(** {sizes["N"]} cells, {sizes["a"]} values, {sizes["b"]} syntax states, {sizes["c"]} tokens.
    The hidden state (j,s) has the number j {sizes["b"]} + s. *)
(** P[M = (m_1, ...)], in the order of the file, the last value first to change. *)
Definition memories : seq Q := {rationals(_flat(model["memory"]))}%coqQ.
(** P[H_0 = h], for the hidden states h = 0, 1, ... *)
Definition initial : seq Q := {rationals(model["initial"])}%coqQ.
(** Row h' has A[h',h] = P(H_i = h' | H_(i-1) = h), for h = 0, 1, ... *)
Definition transition : seq (seq Q) :=
  {matrix(model["transition"])}%coqQ.
(** Row z has P(X_i = z | M_j = m, J_i = j, S_i = s), in the order of the file: for each m, for each j, for each s. *)
Definition emission : seq (seq Q) :=
  {matrix([_flat(row) for row in model["emission"]])}%coqQ.
(** The task: row l has mu_l[m]. A file with one vector mu has the labels 0 and 1, and the rows 0 and mu. *)
Definition mu : seq (seq Q) :=
  {matrix(self.rows)}%coqQ.
(** The cell j* of the task, and the syntax states S* with H* = {{j*}} x S*. *)
Definition cell : nat := {model["task"]["cell"]}.
Definition syntax : seq nat := {listed(self.syntax)}.

Lemma laws : valid_memory {arguments} memories initial transition emission.
Proof. {DECIDED}. Qed.
Definition model (R : realFieldType) := of_memory_table R laws.{head}"""

    def head_parts(self) -> Iterator[Part]:
        """Write the parts of a claim about a head, in order."""
        if self.prompted:
            prompt, embedding = self._written("real_prompt", "prompt"), self._written("embedding_of", "embedding")
            proof = f"apply: (prompt01 (u := prompt)); {DECIDED}"
            yield Part("The prompt is in [0,1]^|Hbar|.", f"is_prompt {prompt}", proof)
            proof = applied("this_embedding", E="embedding")
            yield Part("The embedding of z is W[z,:].", f"forall z k, {embedding} z k = memit m z k", proof)
        yield self._this_head()

    def _assumption(self, name: str, holds: bool, evidence: dict[str, Any] | None) -> Part:
        sentence, proposition, number = ASSUMPTIONS[name]
        theorem, word = ("holds", "holds") if holds else ("fails", "is violated; it says")
        definition, terms = "", dict[str, str]()
        if evidence is None:  # decided on supports, or by one product
            proposition = proposition if holds else f"~ ({proposition})"
        elif evidence["kind"] == "more-cells":
            sentence = f"Assumption {name} {word}: the model has one cell."
            return Part(sentence, f"{self.sizes['N']} <> 1", "move=> eq1")
        elif holds:
            definition, terms = self._duals("dual_vectors", evidence), {"L": "dual_vectors"}
        else:
            definition = f"Definition null_vectors : seq (seq Z) := {integers(evidence['null_vectors'])}."
            terms = {"s": str(evidence["states"][0] - self.first), "v": "nth [::] null_vectors 0"}
            proposition = f"~ {proposition}"
            if "recoverable" not in self.model["task"]:
                theorem, terms, word = "never", {"vs": "null_vectors"}, f"{word}, for any S* that is not empty"
                proposition = f"forall s : {{set ordinal_finType {self.sizes['b']}}}, s != set0 -> {proposition}"
        sentence = f"Assumption {name} {word}: {sentence}."
        return Part(sentence, proposition, applied(f"{theorem}_{number}", **terms), definition)

    def _duals(self, name: str, evidence: dict[str, Any]) -> str:
        states = self.sizes["a"] * self.sizes["N"] * self.sizes["b"]
        rows = placed(evidence["rows"], evidence["columns"], states, self.sizes["c"])
        return f"Definition {name} : seq (seq Z) := {rows}."

    def _lemma(self, evidence: dict[str, Any]) -> Part:
        names, sentence = LEMMAS[self.statement].split(": ", 1)
        kind, theorem, definitions = evidence["kind"], theorem_name(self.holds, self.statement), ""
        word, number = theorem.split("_", 1)
        says = f"says_{number} {names.format(**self.sizes)}"
        terms = terms_of(evidence)
        if kind == "no-input-in-R":
            theorem = "holds_attends_nowhere" if "C_9" in theorem else f"{theorem}_nowhere"
        elif kind == "dual-vectors":
            definitions, terms = self._duals("readings", evidence), {"L": "readings"}
        elif kind == "attention":
            definitions = self._head_text(evidence)
            second = {"C.2": {}, "C.4": {"E": "embedding"}, "C.13": {}}.get(self.statement, {"u": "prompt"})
            terms = {"hd": "head", **second}
        elif kind == "no-duals":
            terms = {"s": str(evidence["state"] - self.first), "ts": terms["ts"]}
        says = says if self.holds else f"~ ({says})"
        return Part(f"On this model {word}: {sentence}.", says, applied(theorem, **terms), definitions)

    def _conclusion(self, evidence: dict[str, Any]) -> Part:
        if self.statement in LEMMAS:
            return self._lemma(evidence)
        some = (SOME[self.prompted] + SERVES[self.prompted].format(h="h", e="e", u="u")).format(**self.sizes)
        which = f"{'prompt and ' if self.prompted else ''}attention head gives every x in R its label F*(x)"
        if not self.holds:
            theorem, definitions, terms = REFUTATIONS[evidence["kind"]](evidence)
            inputs = f"Definition inputs : seq (seq nat) := {matrix(evidence['inputs'], listed)}."
            theorem = applied(theorem, inputs="inputs", **terms)
            return Part(f"No {which}.", f"~ {some}", theorem, f"{inputs}\n{definitions}")
        if evidence["kind"] == "no-input-in-R":
            return Part(f"Some {which}.", some, applied(f"holds_{self.number}_nowhere"))
        theorem = applied(f"holds_{self.number}", **self.head_terms)
        return Part(f"Some {which}.", some, theorem, self._head_text(evidence))

    def _head_text(self, item: dict[str, Any]) -> str:
        """Write the definitions of a head, of its prompt if there is one, and of its embedding.

        The embedding is left out for a prompted head, except where the claim is about this head.
        """
        head = item["head"]
        lines = [
            "(** A head: q, Theta_K, beta_i (the last row repeats), Theta_V, and the rows b_l. *)",
            "Definition head : head_q := HeadQ",
            f"  {rationals(head['query'])}%coqQ",
            *(f"  {matrix(head[name])}%coqQ" for name in ("key", "position", "value")),
            f"  {matrix(task_rows(head['b']))}%coqQ.",
        ]
        if self.prompted:
            lines += [f"Definition prompt : seq Q := {rationals(item['prompt']['u'])}%coqQ."]
        if not self.prompted or self.claim["kind"] == "head":
            lines += [f"Definition embedding : seq (seq Q) :=\n  {matrix(head['embedding'])}%coqQ."]
        return "\n".join(lines)

    def _written(self, function: str, item: str) -> str:
        """Apply a `function` of Rocq to the sizes that it needs and to `item`, which is "prompt" or "embedding"."""
        names = "Nabc" if item == "embedding" else "Nab"
        return f"({function} {' '.join(f'({name} := {self.sizes[name] - 1})' for name in names)} (R := R) {item})"

    def _this_head(self) -> Part:
        serves = SERVES[self.prompted].format(
            h=f"(real_head {' '.join(str(self.sizes[name] - 1) for name in 'NabcK')} head)",
            e=self._written("embedding_of", "embedding"),
            u=self._written("real_prompt", "prompt"),
        )
        if not self.holds:
            theorem = applied(f"not_this_head_{self.number}", **self.head_terms, x=listed(self.evidence["input"]))
            return Part("This head gives some x in R another label than F*(x).", f"~ {serves}", theorem)
        nowhere = self.evidence["kind"] == "no-input-in-R"
        theorem = applied("this_head_nowhere") if nowhere else applied(f"this_head_{self.number}", **self.head_terms)
        return Part("This head gives every x in R its label F*(x).", serves, theorem)

    def _constant(self, evidence: dict[str, Any]) -> Part:
        if evidence["kind"] == "no-input-in-R":
            proposition = "forall x, ~ in_R m (recoverable j s) x"
            return Part("The claim is vacuous: R is empty.", proposition, applied("R_is_empty"))
        if evidence["scores"] is not None:
            raise NotCoveredError("one-label by spans")
        return super()._constant(evidence)


def _flat(nested: Any) -> list[str]:
    """Return the numbers of nested lists, in order."""
    return [number for item in nested for number in _flat(item)] if isinstance(nested, list) else [nested]


Refutation = tuple[str, str, dict[str, str]]
"""The name of a theorem, the definitions of its evidence, and the theorem's arguments by name."""


def _attended_sets(evidence: dict[str, Any]) -> Refutation:
    def tree(i: int) -> str:
        kind, *rest = evidence["nodes"][i]
        if kind != "attends":
            return f"{kind.title()}Z {weighted(rest[0])}"
        return f"AttendsZ {rest[0]} (nth (KeysZ [::]) {listed(rest[1], tree, chr(10) + '  ; ')})"

    return "fails_4_3", f"Definition nodes : head_tree_z := {tree(0)}.", {"t": "nodes"}


def _alike(evidence: dict[str, Any]) -> Refutation:
    text = weighted(evidence["constraints"])
    return "fails_C_6_alike", f"Definition constraints : rivals := {text}.", {"cs": "constraints"}


def _decoys(evidence: dict[str, Any]) -> Refutation:
    groups = [f"({i}, ({first}, {second}, {listed(more)}))" for i, (first, second, *more) in evidence["groups"]]
    leaves = []
    for terms, first, second in evidence["leaves"]:
        [weights] = cleared([weight for *_, weight in terms])
        lead, *more = [f"({g}, {i}, {weight}%coqZ)" for (g, i, _), weight in zip(terms, weights, strict=True)]
        leaves.append(f"({lead}, {listed(more)}, {first}, {second})")
    text = (
        f"Definition groups : seq group_z := {listed(groups)}.\n"
        f"Definition leaves : seq decoy_leaf_z := {listed(leaves)}."
    )
    return "fails_C_6_decoys", text, {"groups": "groups", "leaves": "leaves"}


REFUTATIONS = {"no-attention-head": _attended_sets, "no-prompted-attention-head": _alike, "decoys": _decoys}
"""For each kind of evidence that no head exists, the function that writes it."""
