"""What was proved of a model whose numbers are rounded: does it hold of every model within the rounding?

`HMM.rounding` says how far, in total variation, a distribution may lie from the one that was given, with the same
zeros. 3.3 and 3.6 are true of every model that meets their assumptions. 3.2 depends on zeros alone, and 3.1 and 3.5
hold of every model whose columns of W are less far than `verify.margin.distance` says: so a verdict `proved` is one on
all of them. The labels F* may still be others, on inputs near the border: those are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from constructions.evidence import Json, Word, word_text
from constructions.linear import dot
from constructions.models import HMM
from constructions.reading import as_text
from constructions.rendering import Named
from constructions.tasks import Task, label_of
from verify.verdicts import Verdict
from verify.words.problem import Problem, beta

WORDS = 1_000
"""How many words are looked at."""


def within(verdict: Verdict) -> bool | None:
    """Tell whether the statement is proved of every model within the rounding; None where that is not known.

    Of a model without a rounding, and of what is no proof of 3.3 or 3.6, nothing is known.
    """
    model, statement = verdict.model, verdict.statement.id
    if not isinstance(model, HMM) or not model.rounding or verdict.status != "proved":
        return None
    if statement not in ("3.3", "3.6"):
        return None
    from verify.margin.distance import to_dependent, to_no_cover

    distance = to_dependent(model) if statement == "3.3" else to_no_cover(model, verdict.task)
    return distance.least > model.rounding or None


def document(verdict: Verdict) -> Json:
    """Return that as JSON, of a model that has a rounding."""
    model = verdict.model
    if not isinstance(model, HMM) or not model.rounding:
        return {}
    return {"rounding": as_text(model.rounding), "within_rounding": within(verdict)}


def said(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Say of 3.3 and 3.6, on a model with a rounding, whether they are proved within it."""
    asked = [one for one in verdicts if isinstance(one.model, HMM) and one.model.rounding and one.status == "proved"]
    found = {one.statement.id: within(one) for one in asked if one.statement.id in ("3.3", "3.6")}
    lines = {
        True: "proved of every model within the rounding, too",
        None: "not shown of every model within the rounding",
    }
    listed = {line: [key for key, held in found.items() if held is holds] for holds, line in lines.items()}
    size = float(max((getattr(one.model, "rounding", Fraction(0)) for one in asked), default=Fraction(0)))
    where = f"({size:.3g} in total variation, the same zeros)"
    return tuple(f"{' and '.join(keys)}: {line} {where}" for line, keys in listed.items() if keys)


@dataclass(frozen=True)
class Relabelled:
    """On how many of some `inputs` up to a `length` two models of the same task disagree; at most how likely that is.

    `probability` is that of an input of one length that is labelled otherwise, at the length where it is largest.
    """

    inputs: int
    length: int
    others: tuple[Word, ...]
    probability: Fraction

    def sentence(self, model: Named) -> str:
        """Say it in a line."""
        of = f"of {self.inputs} inputs up to length {self.length}"
        if not self.others:
            return f"{of}, each has the label that it had"
        first = word_text(self.others[0], model)
        likely = f"{float(self.probability):.3g}"
        return f"{of}, {len(self.others)} have another label, the first is ({first}); probability {likely}"


def relabelled(given: HMM, lifted: HMM, task: Task) -> Relabelled:
    """Compare F* of two models with the same states and tokens, on all inputs up to a length."""
    problems, tokens = (Problem(given, task), Problem(lifted, task)), range(len(given.tokens))
    seen, level, others, likely = 0, [Word()], list[Word](), [Fraction(0)]
    while seen + len(level) * len(tokens) <= WORDS:
        longer = [(token, *word) for token, word in product(tokens, level)]
        level = [word for word in longer if any(beta(problems[0], word))]  # what is no input itself may end one
        inputs = [(word, p) for word in level if (p := dot(given.initial, beta(problems[0], word)))]
        wrong = {word: p for word, p in inputs if len({_label(problem, word) for problem in problems}) > 1}
        seen, others = seen + len(inputs), [*others, *sorted(wrong)]
        likely.append(sum(wrong.values(), Fraction(0)))
    return Relabelled(seen, len(likely) - 1, tuple(others), max(likely))


def _label(problem: Problem, word: Word) -> int:
    return label_of([dot(row, beta(problem, word)) for row in problem.task_functionals])
