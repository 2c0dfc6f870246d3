"""The claims of accepted certificates (section 3 of docs/certificate-format.md), and each claim as a sentence.

Notation: verify/kernel/hmm/__init__.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from verify.kernel.base.item import brief, short

STATUS_PHRASES = {"proved": "is proved on", "refuted": "is refuted on", "not-applicable": "does not apply to"}
TRUTH_PHRASES = (
    (False, "is violated", "are violated"),
    (True, "holds", "hold"),
    (None, "is undecided", "are undecided"),
)


@dataclass(frozen=True)
class Claim:
    """An accepted claim, and the facts that its check has shown besides.

    Only a claim of kind "statement" has a status, scope, assumptions and labels.
    """

    kind: str  # "statement", "head" or "margin"
    statement: str
    conclusion: str
    model_name: str | None  # what the model calls itself
    head: str = ""  # the class of heads of which the statement speaks, in words; empty for a lemma
    on_r: bool = False  # whether the statement is on the inputs in R alone
    of_inputs: bool = True  # whether it speaks of inputs
    status: str | None = None
    scope: str | None = None
    vacuous: bool | None = None  # of a head: True if R is shown empty, or None; of a statement: section 3 of the format
    assumptions: Mapping[str, bool | None] = field(default_factory=dict)
    labels: Mapping[str, Sequence[int] | None] = field(default_factory=dict)
    lengths: tuple[int, ...] = ()  # of the words that refute the conclusion
    only_label: int | None = None  # the label that all inputs have, where that is shown
    error: str = ""  # of a margin: no smaller error of an entry changes a label
    but_for: tuple[bool, str] = (False, "0")  # of a margin: whether ties are left out, and inputs of which probability
    recoverable: tuple[int, ...] = ()  # H*, the hidden states, where the claim speaks of it
    raw: Mapping[str, object] = field(default_factory=dict)  # the claim as it stands in the certificate
    of_file: bool = False  # whether the model was compared with that of a file
    own_task: bool = False  # whether that file has no task, so that only the certificate has one

    @property
    def where(self) -> str:
        """The words " in R" if the statement is on R, otherwise no words."""
        return " in R" if self.on_r else ""

    @property
    def served(self) -> str:
        """The words "gives every input of every length its label", with "input in R" if the statement is on R."""
        return f"gives every input{self.where} of every length its label"

    @property
    def with_h_star(self) -> str:
        """The words " with H* = {...}", or no words where the claim does not speak of H*."""
        return f" with H* = {{{short(', '.join(map(str, self.recoverable)))}}}" if self.recoverable else ""

    def sentence(self) -> str:
        """The claim in one line of plain English."""
        model = self.about_model()
        if self.kind == "head":
            return self.about_this_head(model)
        if self.kind == "margin":
            return self.about_margin(model)
        status = STATUS_PHRASES[self.status or ""]
        opening = f"{self.statement} {status} {model}: {self.about_assumptions()}{self.with_h_star}"
        if self.head:
            return f"{opening}, and {self.about_heads()}; {self.about_labels()}"
        return f"{opening}, and {self.about_lemma()}" + (f"; {self.about_r()}" if self.on_r else "")

    def about_model(self) -> str:
        """The model, in words: "the model in the file", or else its name in quotation marks, or "the model"."""
        if self.of_file:
            return "the model in the file" + ", with the task of the certificate" * self.own_task
        return "the model" if self.model_name is None else brief(self.model_name)

    def about_this_head(self, model: str) -> str:
        """The sentence of a claim about one head: it serves, or it mislabels an input."""
        fails = f"mislabels an input{self.where} of length {max(self.lengths, default=0)}"
        nothing = f"; {self.about_r()}" if self.vacuous else ""
        does = fails if self.conclusion == "fails" else self.served
        return f"this {self.head} {does} on {model}{self.with_h_star} (statement {self.statement}){nothing}"

    def about_margin(self, model: str) -> str:
        """The sentence of a claim about a margin: how far outputs may err, and which inputs are left out."""
        ties, bound = self.but_for
        inputs = f"inputs of total probability at most {short(bound)} at each length"
        left_out = ["ties"] * ties + [inputs] * (bound != "0")
        but = f", but for {listing(left_out)}" if left_out else ""
        within = f"where its output errs by less than {short(self.error)} in each entry"
        return f"this {self.head} {self.served}, also {within}{but}, on {model} (statement {self.statement})"

    def about_assumptions(self) -> str:
        """Which assumptions are violated, which hold, and which are undecided."""
        parts = []
        for value, singular, plural in TRUTH_PHRASES:
            names = [name for name, truth in self.assumptions.items() if truth is value]
            if names:
                parts.append(f"{listing(names)} {singular if len(names) == 1 else plural}")
        return ", ".join(parts)

    def about_heads(self) -> str:
        """Say whether some head serves. If none does, say how many inputs show it, and whether their lengths differ."""
        if self.conclusion == "holds":
            return f"one {self.head} {self.served}"
        if self.conclusion == "undecided":
            return f"it is undecided whether one {self.head} gives every input{self.where} its label"
        lengths = f"length {self.lengths[0]} alone" if len(set(self.lengths)) == 1 else "mixed lengths"
        return f"no {self.head} serves inputs of {lengths} (shown by {len(self.lengths)})"

    def about_lemma(self) -> str:
        """Whether the conclusion of a lemma is true. If words refute it, their number and lengths follow."""
        if self.conclusion == "undecided":
            return "it is undecided whether what it concludes is so"
        if self.conclusion == "holds" and self.statement == "3.6:zero" and self.assumptions["3.5"] is False:
            return "no set B meets 3.5, so that it says nothing"
        if self.conclusion == "holds":
            return "what it concludes is so" + f" for every input{self.where} of every length" * self.of_inputs
        if not self.lengths:
            return "what it concludes is not so"
        lengths = f"length {self.lengths[0]}" if len(set(self.lengths)) == 1 else "mixed lengths"
        words = "a word" if len(self.lengths) == 1 else f"{len(self.lengths)} words"
        return f"what it concludes is not so (shown by {words} of {lengths})"

    def about_labels(self) -> str:
        """Which labels occur among the inputs, or why the claim is vacuous."""
        if self.vacuous and self.only_label is None:
            return self.about_r()
        if self.vacuous:
            return f"every input has label {self.only_label}, so that the task is vacuous"
        named = [label for label, word in self.labels.items() if word is not None]
        if len(named) > 1:
            return f"labels {listing(named)} {'both' if len(named) == 2 else 'all'} occur{self.where}"
        return f"{f'only label {named[0]}' if named else 'no label'} is shown to occur{self.where}"

    def about_r(self) -> str:
        """Whether R has inputs."""
        if self.vacuous:
            return "no input is in R, so that it says nothing"
        return "no input is shown to be in R" if self.vacuous is None else "R has inputs"


def listing(names: Sequence[str]) -> str:
    """The names, joined by commas and an "and" before the last."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
