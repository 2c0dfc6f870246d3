"""Terms in the paper's notation: as plain text for a terminal, and as LaTeX."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from verify.derivations.judgments import Judgment
from verify.derivations.terms import Term

ONE = Term("id", (Term("1"),))
AROUND = ("tau", "law", "G", "paper", "kept")
"""What is about a position, with a past before it and a word after it."""


@dataclass(frozen=True)
class Notation:
    """How symbols and operations are written.

    {0}, {1} are a symbol's arguments; {i}, {n}, {before} the position of the first, the next and the one before.
    """

    symbols: Mapping[str, str]
    infix: Mapping[str, tuple[int, str]]
    transpose: str
    inverse: str
    brackets: tuple[str, str]
    nothing: str
    past_and_word: str
    since: str
    compound: str
    inline: str
    relations: Mapping[str, str]

    def term(self, term: Term, tightness: int = 0) -> str:
        """A term, in brackets if what stands around it binds more tightly."""
        op, args = term.op, term.args
        if op in self.infix:
            own, sign = self.infix[op]
            written = self.term(args[0], own) + sign + self.term(args[1], own + (op != "had"))
            return self.bracketed(written) if own < tightness else written
        if op in ("tr", "inv"):
            simple = self.term(args[0], 4)
            if args[0].op in ("tr", "inv"):
                simple = self.bracketed(simple)
            return simple + (self.transpose if op == "tr" else self.inverse)
        if term == ONE:
            return "1"
        if op in ("0", "next", "at"):
            return time_of(term)
        if op in ("cons", "snoc", "cat", "behind"):
            return self.sequence(term)
        known = self.symbols.get(op, op)
        if not args:
            return known.format()
        positions = {name: self.index(time_of(args[0], on)) for name, on in (("i", 0), ("n", 1), ("before", -1))}
        around = self.around(args) if op in AROUND else ""
        since = "" if positions["i"] == "0" else self.since.format(positions["i"])
        return known.format(*map(self.term, args), around=around, since=since, **positions)

    def index(self, position: str) -> str:
        """A position as an index, in braces if it is not one sign."""
        return self.compound.format(position) if "+" in position or "-" in position else position

    def bracketed(self, written: str) -> str:
        """In brackets."""
        return written.join(self.brackets)

    def sequence(self, term: Term) -> str:
        """The tokens of a word, a past or both, in order."""
        parts = [self.term(part) for part in flattened(term)]
        return self.nothing if not parts else parts[0] if len(parts) == 1 else self.bracketed(", ".join(parts))

    def around(self, args: tuple[Term, ...]) -> str:
        """What stands before and after a position."""
        before, after = ([self.term(part) for part in flattened(arg)] for arg in args)
        return self.past_and_word.format(", ".join((*before, self.symbols["gap"], *after)))

    def judgment(self, judgment: Judgment) -> str:
        """An equation, or what is said of one term."""
        written = [self.term(term) for term in judgment.terms]
        return self.relations[judgment.kind].format(*written)


def flattened(term: Term) -> list[Term]:
    """The letters, and the variables that stand for several, of a word or a past."""
    if term.op in ("empty", "begin"):
        return []
    if term.op == "behind":
        return [Term("prompt"), *flattened(term.args[0])]
    return [part for arg in term.args for part in flattened(arg)] if term.op in ("cons", "snoc", "cat") else [term]


def time_of(term: Term, steps: int = 0) -> str:
    """A position, so many steps on: 0, 1, i, i+1; a past w leads to i, and with one token more to i+1."""
    while term.op in ("next", "at", "snoc", "behind"):
        steps += term.op != "at"
        term = term.args[0]
    name = {"0": "", "begin": "", "w": "i"}.get(term.op, term.op)
    steps += term.op == "begin"
    return f"{name}{steps:+d}" if name and steps else name or str(steps)


PLAIN = Notation(
    {
        "p0": "P[H_0]",
        "p": "P[H_{i}]",
        "beta": "beta({0})",
        "lik": "P[X{since}={1} | H_{i}]",
        "post": "P[H_{i} | X{since}={1}]",
        "pr": "Pr({0})",
        "alpha": "alpha({0})",
        "tau": "P[H_{i}, X_-{i}={around}]",
        "law": "P[H_{i} | X_-{i}={around}]",
        "G": "G_{i}{around}",
        "Gbar": "Gbar({0})",
        "back": "P[H_{i} | H_{n}]",
        "left": "left_{n}->{i}({1})",
        "right": "right_{before}->{i}({0})",
        "paper": "tau_{i}{around}",
        "e": "e({0})",
        "prompt": "ztilde",
        "empty": "()",
        "begin": "()",
        "gap": "_",
        "Wplus": "W^+",
        "Wstar": "W_H*^+",
        "in_b": "i_B",
        "in_star": "i_H*",
        "in_r": "i_R",
        "in_n": "i_N",
        "in_q": "i_Q",
        "mean": "|M|^(1-N)",
        "emb": "W[{0},:]",
        "Theta1": "Theta1",
        "law0": "P[M]",
        "atcell": "B",
        "Wg": "W_G",
        "hidg": "hid_G",
        "in_g": "i_G",
        "in_u": "i_U",
        "in_p": "i_P",
        "in_o": "i_O",
        "to_g": "to_G",
        "starp": "star_P",
        "in_qu": "i_QU",
        "to_p": "to_P",
        "valuep": "value_P",
        "Thetap": "Theta_P",
        "Thetap1": "Theta1_P",
        "kept": "kappa_{n}{around}",
        "chosen": "1_M*",
        "unchosen": "(1 - 1_M*)",
        "prhat": "Pr(ztilde, {0})",
        "posthat": "P[Hbar_1 | Xhat=(ztilde, {0})]",
        "one": "1",
        "zero": "0",
        "id": "I",
        "diag": "diag({0})",
        "norm": "||{0}||_1",
        "label": "label({0})",
    },
    {"add": (1, " + "), "sub": (1, " - "), "had": (2, " o "), "mul": (3, " ")},
    "'",
    "^-1",
    ("(", ")"),
    "()",
    "({0})",
    "_>{0}",
    "{{{0}}}",
    "{0}",
    {"=": "{0} = {1}", "> 0": "{0} > 0", ">= 0": "{0} >= 0", "map": "{0} is a map", "injection": "{0} is injective"},
)

LATEX = Notation(
    {
        "p0": "P[H_0]",
        "p": "P[H_{{{0}}}]",
        "beta": r"\beta({0})",
        "lik": r"P[X{since}{{=}}{1}\mid H_{{{0}}}]",
        "post": r"P[H_{{{0}}}\mid X{since}{{=}}{1}]",
        "pr": r"\Pr({0})",
        "alpha": r"\alpha({0})",
        "tau": r"P[H_{{{i}}}, X_{{-{i}}}{{=}}{around}]",
        "law": r"P[H_{{{i}}}\mid X_{{-{i}}}{{=}}{around}]",
        "G": r"G_{{{i}}}{around}",
        "Gbar": r"\overline{{G}}({0})",
        "back": r"P[H_{{{0}}}\mid H_{{{n}}}]",
        "left": r"\overleftarrow{{\delta}}_{{{n}\to {0}}}({1})",
        "right": r"\overrightarrow{{\delta}}_{{{before}\to {i}}}({0})",
        "paper": r"\tau_{{{i}}}{around}",
        "e": "e({0})",
        "mu": r"\mu",
        "prompt": r"\tilde z",
        "empty": r"\varnothing",
        "begin": r"\varnothing",
        "gap": r"\,\cdot\,",
        "Wplus": "W^{{+}}",
        "Wstar": r"W_{{H^\star}}^{{+}}",
        "in_b": r"\iota_{{B}}",
        "in_star": r"\iota_{{H^\star}}",
        "in_r": r"\iota_{{R}}",
        "in_n": r"\iota_{{N}}",
        "in_q": r"\iota_{{Q}}",
        "mean": r"{{\lvert M\rvert^{{1-N}}}}",
        "emb": "W_{{{0},:}}",
        "Theta": r"\Theta",
        "Theta1": r"\Theta^{{(1)}}",
        "Wbar": r"\overline{{W}}",
        "law0": "P[M]",
        "pi": r"\pi",
        "col": r"\mathrm{{col}}",
        "hid": r"\mathrm{{hid}}",
        "cell": r"\mathrm{{cell}}",
        "memory": r"\mathrm{{mem}}",
        "hidden": r"\mathrm{{state}}",
        "star": r"\mathrm{{star}}",
        "value": r"\mathrm{{val}}",
        "to_r": r"\mathrm{{toR}}",
        "atcell": "B",
        "Wg": "W_{{G}}",
        "hidg": r"\mathrm{{hid}}_{{G}}",
        "in_g": r"\iota_{{G}}",
        "in_u": r"\iota_{{U}}",
        "in_p": r"\iota_{{P}}",
        "in_o": r"\iota_{{O}}",
        "to_g": r"\mathrm{{toG}}",
        "starp": r"\mathrm{{star}}_{{P}}",
        "in_qu": r"\iota_{{QU}}",
        "to_p": r"\mathrm{{toP}}",
        "valuep": r"\mathrm{{val}}_{{P}}",
        "Thetap": r"\Theta_{{P}}",
        "Thetap1": r"\Theta^{{(1)}}_{{P}}",
        "kept": r"\kappa_{{{n}}}{around}",
        "chosen": r"\mathbf{{1}}_{{M^\star}}",
        "unchosen": r"(\mathbf{{1}} - \mathbf{{1}}_{{M^\star}})",
        "prhat": r"\Pr(\tilde z, {0})",
        "posthat": r"P[\overline{{H}}_1\mid \widehat{{X}}{{=}}(\tilde z, {0})]",
        "one": r"\mathbf{{1}}",
        "zero": r"\mathbf{{0}}",
        "id": "I",
        "diag": r"\operatorname{{diag}}({0})",
        "norm": r"\lVert {0}\rVert_1",
        "label": r"\operatorname{{label}}({0})",
    },
    {"add": (1, " + "), "sub": (1, " - "), "had": (2, r" \odot "), "mul": (3, r"\,\allowbreak ")},
    r"^{\top}",
    "^{-1}",
    (r"\bigl(", r"\bigr)"),
    r"\varnothing",
    "({0})",
    "_{{>{0}}}",
    "{0}",
    "${0}$",
    {
        "=": "{0} = {1}",
        "> 0": "{0} > 0",
        ">= 0": r"{0} \ge 0",
        "map": r"{0}\text{{ is a map}}",
        "injection": r"{0}\text{{ is injective}}",
    },
)

MARKDOWN = replace(LATEX, inline="$`{0}`$", infix={**LATEX.infix, "mul": (3, r"\, ")})
"""LaTeX between marks that keep Markdown from taking its backslashes away."""
