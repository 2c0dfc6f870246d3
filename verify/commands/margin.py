"""The commands `headproof margin` and `headproof weakest`: how strong a head is, and on what condition there is one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain
from pathlib import Path

import click

from constructions import theorem_3_6
from constructions.assumptions import DECIDE, Cover
from constructions.evidence import Json, Word, read_names
from constructions.heads import Classifier
from constructions.models import HMM, Known
from constructions.reading import InputError, Node
from constructions.tasks import Task
from verify import kernel
from verify.certificates import head_certificate
from verify.commands.arguments import COUNT, a_model, a_statement, folder_option
from verify.commands.build import read_own
from verify.commands.output import REFUTED, STATUS, Certificates, as_json, in_json, show, tell
from verify.margin import weakest as weakest_condition
from verify.margin.compared import LEFT_OUT, Borne, Kept, compared
from verify.margin.everywhere import NODES, words_of
from verify.margin.linear import WORDS
from verify.margin.strength import document, strength
from verify.prover import prove
from verify.shown import margins, terminal
from verify.statements import STATEMENTS, THEOREMS, Statement, about
from verify.verdicts import Built, HeadVerdict, listed
from verify.words.problem import Problem

MANY = 2_000
"""From how many inputs on their number is said before they are weighed."""


@click.command()
@a_statement(THEOREMS, required=False)
@a_model(
    click.option("--head", "head_file", metavar="FILE", help="One's own head, in place of STATEMENT's."),
    click.option("--length", type=COUNT, default=3, show_default=True, help="Of the longest inputs that are listed."),
)
@click.option("--nodes", type=COUNT, default=NODES, show_default=True, help="Prefixes to look at for every length.")
@click.option("--except", "left_out", metavar="Q", help="Probability to leave out.  [default: 0, 1/1000, 1/100]")
@click.option("--from", "begun", metavar="CERTIFICATE", help="Go on from what a certificate of a margin shows.")
@folder_option
@as_json
def margin(
    statement: Statement | None,
    known: Known,
    head_file: str | None,
    length: int,
    nodes: int,
    left_out: str | None,
    begun: str | None,
    folder: str,
) -> int:
    """Measure how strong the head is that `build` makes for STATEMENT (default: the first that has one), or one's own.

    Singular values of W, the norm of b, the smallest score and the largest error in G that changes no label, up to a
    length; of a linear head what it, one of least norm and one of largest margin bear on inputs of every length, with
    certificates; of an attention head the scale from which softmax attention has the same labels. And how far the
    model is from violating 3.1, 3.5, 4.2. What is interrupted says what it has found.
    """
    if head_file is not None and statement is not None:
        raise InputError("--head", f"a head and {statement.id}", "one of them")
    certificates, most = Certificates(folder), _left_out(left_out)
    words = [] if begun is None else _begun(begun)
    model, task = known
    if head_file is not None:
        own = read_own(head_file, known)
        chosen, built = STATEMENTS[own.statement], Built(own.classifier)
    else:
        chosen, built = _first_built([statement] if statement else THEOREMS.values(), known)
    if built.classifier is None:
        missing = {"statement": chosen.id, "model": model.name, "head": None, "reason": built.reason}
        show(missing, lambda: terminal.show_build(chosen, model, task, built))
        return STATUS[built.answer]
    linear = isinstance(model, HMM) and isinstance(built.classifier, Classifier)
    size = sum(len(model.tokens) ** i for i in range(1, length + 1))
    if MANY < size <= WORDS and not in_json():
        tell(f"about {size:,} inputs up to length {length}" + f", then {nodes:,} prefixes for each head" * linear)
    with terminal.counting("weighing inputs") as watch:
        found = strength(chosen, model, task, built.classifier, length, watch)
    if found.length < length and not in_json():
        tell(f"interrupted: what follows is up to length {found.length}")
    heads, everywhere = list[Borne](), list[Json]()
    if isinstance(model, HMM) and isinstance(built.classifier, Classifier):
        name = "one's own" if head_file is not None else "as built"
        kept = Kept(Path(click.get_app_dir("headproof")) / "margins")
        with terminal.counting("splitting prefixes") as splits:
            for one in compared(model, task, built.classifier, name, nodes, most, words, splits, kept):
                if one.stopped:
                    tell(f"{one.name}: stopped at {one.prefixes:,} prefixes; the same command goes on from there")
                named = f"{model.name}-{chosen.id}-margin-{one.name.replace(' ', '-')}"
                heads.append(one)
                everywhere.append(listed(one.document, certificates.write(one.certificate, named)))
    figures = {**document(found), "every_length": everywhere}
    show(figures, lambda: margins.show_strength(found, heads))
    return 0 if found.margins.mislabelled is None else REFUTED


def _left_out(text: str | None) -> Sequence[Fraction]:
    if text is None:
        return LEFT_OUT
    number = Node(text, "--except", "").number()
    if not 0 <= number < 1:
        raise InputError("--except", text[:40], "a probability, less than 1")
    return [number]


def _begun(path: str) -> list[Word]:
    try:
        text = Path(path).read_text(encoding="utf-8")
        claim = kernel.check(text)
    except (OSError, UnicodeDecodeError, kernel.Rejected, kernel.Unparseable) as error:
        raise InputError("", " ".join(str(error).split())[:100], "a certificate of a margin", path) from None
    if claim.kind != "margin":
        raise InputError("claim", claim.kind, "a margin", path)
    return words_of(json.loads(text))


def _first_built(statements: Iterable[Statement], known: Known) -> tuple[Statement, Built]:
    """Return the first statement that has a head on a model, with it; or the first, with the reason why it has none."""
    tried = ((one, prove(one, *known).built) for one in statements if about(one, known[0]))
    first = next(tried)
    return next((found for found in chain([first], tried) if found[1].classifier is not None), first)


@click.command()
@a_statement({key: THEOREMS[key] for key in ("3.3", "3.6")})
@a_model(
    click.option("--prompt", "states", metavar="B", help="For 3.6: the states with u = 1; default: one that will do."),
    vanilla=True,
)
@folder_option
@as_json
def weakest(statement: Statement, known: tuple[HMM, Task], states: str | None, folder: str) -> int:
    """Decide the weakest condition under which the proof of STATEMENT, 3.3 or 3.6, goes through on a model.

    That is: some b makes the head's scores a positive multiple of the task's, on R^n or only where inputs can be. Where
    there is none, a head may still match all signs.
    """
    certificates = Certificates(folder)
    if states is not None and not statement.prompted:
        raise InputError("--prompt", f"it with {statement.id}", "it with 3.6")
    model, task = known
    asked = None if states is None else set(read_names(states, model.states, "state", "--prompt"))
    prompt = None if asked is None else theorem_3_6.indicator(tuple(sorted(asked)), len(model.states))
    problem, assumption = Problem(model, task), DECIDE["3.5" if statement.prompted else "3.1"](model, task)
    if statement.prompted and prompt is None:
        cover = assumption.evidence if isinstance(assumption.evidence, Cover) else None
        found = weakest_condition.weakest_prompted(problem, cover)
    else:
        found = weakest_condition.weakest(problem, prompt)
    path = None
    if found.holds is not None:
        verdict = HeadVerdict(model, task, found.holds.head, found.holds.evidence)
        path = certificates.write(head_certificate(verdict), f"{model.name}-{statement.id}-weakest")
    document = margins.weakest_document(statement, model, assumption, found, path)
    show(document, lambda: margins.show_weakest(statement, model, assumption, found))
    return 0
