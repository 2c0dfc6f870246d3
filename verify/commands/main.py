"""The command `headproof`. Results go to standard output, progress and complaints to standard error.

Exit status: 2 for bad usage or input, in one line; else 1 if anything is refuted or a certificate is rejected; else 3
if anything is undecided; else 0.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import Any

import click

from constructions.assumptions import DECIDE
from constructions.evidence import Word
from constructions.heads import Classifier
from constructions.memory.assumptions import memory_assumptions
from constructions.memory.attention import AttentionClassifier
from constructions.memory.model import MemoryHMM
from constructions.models import document as model_document
from constructions.models import is_memory, load
from constructions.reading import InputError, printable, read
from constructions.tasks import MemoryTask
from learned.tuning_cli import learn  # the group with all its commands
from verify import kernel, library
from verify.certificates import Json, head_certificate, statement_certificate
from verify.commands import symbolic as symbolic_command
from verify.commands.built import build as built
from verify.commands.given import check_kind, find_statement, load_known, load_vanilla, read_word, same_statement
from verify.commands.margin import margin
from verify.commands.necessity import necessity
from verify.commands.options import (
    COUNT,
    as_json,
    bounds_options,
    cell_option,
    check_folder,
    folder_option,
    mu_option,
    one_model,
    recoverable_option,
)
from verify.commands.output import BAD, REFUTED, UNDECIDED, Names, show, write_certificate
from verify.commands.search import search
from verify.commands.twice import ONE_CHECKER_ONLY, asked_twice
from verify.commands.weakest import weakest
from verify.expectations import surprises
from verify.prover import judge_attention, judge_head, prove, recoverable_states
from verify.search import family, listing
from verify.search.family import Tally
from verify.search.small_models import Bounds
from verify.shown import surveys, terminal
from verify.shown.explain import explain as explain_input
from verify.shown.explain_memory import explain as explain_memory
from verify.statements import STATEMENTS, THEOREMS, Statement, about
from verify.strategies import generate as generators
from verify.verdicts import Verdict, listed


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="headproof")
def headproof() -> None:
    """Decide the theorems on head and prompt tuning of Wei, Xie and Ma on your models, exactly, for every input."""


@headproof.command()
@click.argument("statements", nargs=-1)
@click.option("--model", "model_files", metavar="FILE...", multiple=True, help="Model files; default: all that ship.")
@mu_option
@cell_option
@recoverable_option
@folder_option
@as_json
@click.option(
    "--family", "as_family", is_flag=True, help="On every small model, and then on drawn ones: how often each is true."
)
@symbolic_command.options
@bounds_options
@click.option("--out", metavar="DIR", help="With --family: where the first model that refutes each statement goes.")
def verify(
    statements: tuple[str, ...],
    model_files: tuple[str, ...],
    mu: str | None,
    cell: int | None,
    recoverable: str | None,
    folder: str,
    as_json: bool,
    as_family: bool,
    as_symbolic: bool,
    **survey: Any,
) -> int:
    """Decide STATEMENTS (default: all) on models, over all inputs of every length.

    With --family no certificates are written, and the exit status is 1 where a statement is refuted: section 3.1 is on
    every model, and C.9 on some. With --symbolic the theorems are proved for every model of a shape at once.
    """
    symbolic = {key: survey.pop(key) for key in symbolic_command.OPTIONS}
    overrides = {"--mu": mu, "--cell": cell, "--recoverable": recoverable}
    another_task = next((option for option, value in overrides.items() if value is not None), None)
    if as_symbolic:
        if model_files or another_task or as_family or any(value is not None for value in survey.values()):
            raise InputError("--symbolic", "options of other surveys", "none: it is about all models of a shape")
        check_folder(folder)
        return symbolic_command.run(statements, folder, as_json, symbolic)
    if symbolic_command.given(symbolic):
        raise InputError(symbolic_command.given(symbolic) or "", "no --symbolic", "it with --symbolic")
    if as_family:
        if model_files or another_task:
            raise InputError("--family", another_task or "--model", "none: it lists its own models")
        return _family([find_statement(name) for name in statements] or list(STATEMENTS.values()), as_json, **survey)
    if any(value is not None for value in survey.values()):
        given = next(key for key, value in survey.items() if value is not None)
        raise InputError(f"--{given}".replace("_", "-"), "no --family", "it with --family")
    further = [
        name for name in statements if name not in STATEMENTS and (name.endswith(".json") or Path(name).exists())
    ]
    files = [*model_files, *further]  # --model a.json b.json
    if another_task and not files:
        raise InputError("", "no --model", f"--model with {another_task}", another_task)
    check_folder(folder)
    chosen = [find_statement(name) for name in statements if name not in further] or list(STATEMENTS.values())
    models = [load_known(name, mu, cell, recoverable) for name in files] or library.shipped()
    names = Names()
    verdicts, documents = [], []
    jobs = [(statement, *model) for model in models for statement in chosen if about(statement, model[0])]
    for statement in chosen if statements and files else ():
        if not all(about(statement, model) for model, _ in models):
            raise InputError(
                "", f"{statement.id}", f"a statement about the model: that one is about a {statement.about}"
            )
    with terminal.progress(jobs) as steps:
        for statement, model, task in steps:
            verdict = prove(statement, model, task)
            path = write_certificate(
                statement_certificate(verdict), folder, names.fresh(f"{model.name}-{statement.id}")
            )
            verdicts.append(verdict)
            documents.append(listed(verdict.document, path))
    show(as_json, {"results": documents}, lambda: terminal.show_verdicts(verdicts))
    if statements or model_files:
        return _exit_status(verdicts)
    unexpected = surprises(verdicts)
    for line in unexpected:
        click.echo(f"headproof: unexpected: {line}", err=True)
    if not unexpected and not as_json:
        terminal.say(f"All {len(verdicts)} verdicts are as expected. Certificates: {folder}/")
    return REFUTED if unexpected else 0


@headproof.command()
@one_model
@mu_option
@cell_option
@recoverable_option
@as_json
def assumptions(model_file: str, mu: str | None, cell: int | None, recoverable: str | None, as_json: bool) -> int:
    """Decide the assumptions on a model, each with a witness or its violation."""
    known = load_known(model_file, mu, cell, recoverable)
    model = known[0]
    findings = memory_assumptions(*known) if is_memory(known) else [decide(*known) for decide in DECIDE.values()]
    document: Json = {"model": model.name, "assumptions": [finding.document for finding in findings]}
    show(as_json, document, lambda: terminal.show_findings(model, findings))
    return UNDECIDED if any(finding.holds is None for finding in findings) else 0


@headproof.command()
@click.argument("statement")
@one_model
@mu_option
@cell_option
@recoverable_option
@as_json
def build(
    statement: str, model_file: str, mu: str | None, cell: int | None, recoverable: str | None, as_json: bool
) -> int:
    """Build the head, and the prompt, of STATEMENT for a model."""
    chosen = find_statement(statement, THEOREMS)
    known = load_known(model_file, mu, cell, recoverable)
    model, task = known
    check_kind(chosen, known, model_file)
    classifier, reason = built(chosen, model, task)
    document: Json = {"statement": chosen.id, "head": None, "prompt": None}
    if classifier is None:
        document["reason"] = reason
    else:
        document["head"], document["prompt"] = classifier.documents
    show(as_json, document, lambda: terminal.show_build(chosen, model, task, classifier, reason))
    return 0 if classifier else UNDECIDED if reason.startswith("undecided") else REFUTED


@headproof.command()
@click.argument("statement")
@one_model
@click.option("--input", "text", metavar="TOKENS", required=True, help="The input: indices or names, as in 0,2,1.")
@mu_option
@cell_option
@recoverable_option
@as_json
def explain(
    statement: str,
    model_file: str,
    text: str,
    mu: str | None,
    cell: int | None,
    recoverable: str | None,
    as_json: bool,
) -> int:
    """Follow one input step by step: messages, outputs, scores and both labels."""
    chosen = find_statement(statement, THEOREMS)
    known = load_known(model_file, mu, cell, recoverable)
    check_kind(chosen, known, model_file)
    word = read_word(text, known[0])
    if is_memory(known):
        return _explain_memory(chosen, *known, word, as_json)
    model, task = load_vanilla(model_file, mu)
    classifier, reason = built(chosen, model, task)
    assert not isinstance(classifier, AttentionClassifier)
    explanation = explain_input(model, task, word, classifier)
    if explanation is None:
        raise InputError("", "an input of probability 0", "one that the model can produce", "--input")
    document = _explained(chosen, explanation.document, classifier, reason)
    show(as_json, document, lambda: terminal.show_explanation(chosen, explanation, classifier, reason))
    return UNDECIDED if reason.startswith("undecided") else 0


@headproof.command()
@click.option(
    "--head", "head_file", metavar="FILE", required=True, help="A head, in the format that build --json prints."
)
@one_model
@mu_option
@cell_option
@recoverable_option
@folder_option
@as_json
def test(
    head_file: str,
    model_file: str,
    mu: str | None,
    cell: int | None,
    recoverable: str | None,
    folder: str,
    as_json: bool,
) -> int:
    """Hold one's own head, or prompt and head, against F* on all inputs (of a memory model, all inputs in R)."""
    check_folder(folder)
    known = load_known(model_file, mu, cell, recoverable)
    members = read(head_file).members({"head"}, {"statement", "prompt", "reason"})
    if is_memory(known):
        attention = AttentionClassifier.from_node(members["head"], members.get("prompt"), *known)
        verdict = judge_attention(*known, attention)
    else:
        model, task = load_vanilla(model_file, mu)
        verdict = judge_head(model, task, Classifier.from_node(members["head"], members.get("prompt"), model, task))
    same_statement(members.get("statement"), verdict)
    path = write_certificate(
        head_certificate(verdict), folder, Names().fresh(f"{known[0].name}-{Path(head_file).stem}")
    )
    show(as_json, listed(verdict.document, path), lambda: terminal.show_head_verdict(verdict))
    return {"holds": 0, "fails": REFUTED}.get(verdict.answer, UNDECIDED)


@headproof.command()
@click.option("--appendix-d", is_flag=True, help="The random models of the paper's appendix D.")
@click.option("--satisfying", metavar="ID", multiple=True, type=click.Choice(generators.IDS), help="An assumption.")
@click.option("--violating", metavar="ID", type=click.Choice(generators.IDS), help="An assumption that is to fail.")
@click.option("--states", type=COUNT, help="Hidden states.  [default: 3; appendix D: 8]")
@click.option("--tokens", type=COUNT, help="Tokens.  [default: 3; appendix D: 10]")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed, the same models."
)
@click.option("--count", type=COUNT, default=1, show_default=True, help="How many models.")
@click.option("--denominator", type=COUNT, help="Of all probabilities of appendix D.  [default: 1000000]")
@click.option("--out", metavar="DIR", help="Write NAME.json files there; default: one model to standard output.")
@as_json
def generate(out: str | None, as_json: bool, count: int, **wanted: Any) -> int:
    """Draw random models: of the paper's appendix D, or meeting all of some assumptions and violating another."""
    if count > 1 and out is None and not as_json:
        raise InputError("--out", "none", f"a folder for {count} models")
    problems = generators.generate(count=count, **wanted)
    paths = None if out is None else [str(generators.write(problem, Path(out))) for problem in problems]
    document: Json = {"models": paths or [model_document(*problem) for problem in problems]}
    show(as_json, document, lambda: click.echo("\n".join(paths or [generators.text(*problems[0])])))
    return 0


@headproof.command()
@click.argument("certificates", nargs=-1, required=True, metavar="CERTIFICATE...")
@click.option("--model", "model_file", metavar="FILE", help="Also compare the certificate's model with this file.")
@click.option("--twice", is_flag=True, help="Ask the second checker too; where the two differ, reject.")
@as_json
def check(certificates: tuple[str, ...], model_file: str | None, twice: bool, as_json: bool) -> int:
    """Let the kernel alone check certificates, and print the claims that it accepts."""
    if model_file is not None:
        load(model_file)  # for a complaint that says where; the kernel reads the file for itself
    model_text = None if model_file is None else _bytes(model_file)
    texts = [_bytes(name) for name in certificates]
    outcomes = [_check(name, text, model_text) for name, text in zip(certificates, texts, strict=True)]
    if twice:
        outcomes = list(map(asked_twice, outcomes, texts))
    document: Json = {"results": outcomes} if len(outcomes) > 1 else outcomes[0]
    if twice and len(outcomes) > 1:
        document["one_checker_only"] = sum(outcome["second"] == ONE_CHECKER_ONLY for outcome in outcomes)
    show(as_json, document, lambda: terminal.show_checks(outcomes))
    return 0 if all(outcome["accepted"] for outcome in outcomes) else REFUTED


headproof.add_command(margin)
headproof.add_command(weakest)
headproof.add_command(search)
headproof.add_command(necessity)
headproof.add_command(learn)


def main() -> None:
    """Run the command; every complaint is one line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show is no reason to stop
    try:
        status = headproof.main(standalone_mode=False)
    except InputError as error:
        status = _complain(str(error), BAD)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        status = BAD
    except click.ClickException as error:
        status = _complain(error.format_message(), BAD)
    except kernel.Rejected as error:
        status = _complain(f"not decided, since the kernel does not accept the certificate: {error}", UNDECIDED)
    except BrokenPipeError:
        _write_no_more()  # the reader has left
        status = 141
    except OSError as error:
        if error.filename is None:
            _write_no_more()
        reason = (error.strerror or "cannot be used").lower()
        status = _complain(f"{error.filename or 'standard output'}: found {reason}, expected to write there", BAD)
    except (KeyboardInterrupt, click.Abort):
        status = _complain("interrupted", 130)
    sys.exit(status)


def _write_no_more() -> None:
    """Leave what standard output has not taken: it is not to be tried, and complained of, once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _family(statements: list[Statement], as_json: bool, out: str | None, **most: int | None) -> int:
    """Decide statements on every small model of their kind, and on drawn ones; what is interrupted is still shown."""
    tallies = [Tally(statement) for statement in statements]
    bounds = {
        about: Bounds(most["max_states"] or 2, most["max_tokens"] or 2, most["max_denominator"] or denominator)
        for about, denominator in family.DENOMINATORS.items()
        if any(statement.about == about for statement in statements)
    }
    complete = True
    with terminal.counting("deciding on models") as watch:
        try:
            for about, within in bounds.items():
                drawn = listing.larger(
                    about, within, 100 if most["random"] is None else most["random"], most["seed"] or 0
                )
                family.count(tallies, watch(chain(listing.small(about, within), drawn)))
        except KeyboardInterrupt:
            complete = False
    refuted = {tally.name: tally.first_refuted for tally in tallies if tally.first_refuted}
    paths = {} if out is None else {name: str(generators.write(one, Path(out))) for name, one in refuted.items()}
    shown: Json = {"family": [tally.document for tally in tallies], "complete": complete}
    shown["bounds"] = {about: within.document for about, within in bounds.items()}
    show(as_json, shown, lambda: surveys.show_family(tallies, bounds, paths))
    if not complete:
        raise click.Abort
    return REFUTED if refuted else UNDECIDED if any(tally.undecided for tally in tallies) else 0


def _complain(message: str, status: int) -> int:
    click.echo(f"headproof: {printable(' '.join(message.split(chr(10))))}", err=True)
    return status


def _exit_status(verdicts: Iterable[Verdict]) -> int:
    verdicts = list(verdicts)
    if any(verdict.status == "refuted" for verdict in verdicts):
        return REFUTED
    return UNDECIDED if any("undecided" in (verdict.status, verdict.answer) for verdict in verdicts) else 0


def _explain_memory(statement: Statement, model: MemoryHMM, task: MemoryTask, word: Word, as_json: bool) -> int:
    classifier, reason = built(statement, model, task)
    assert not isinstance(classifier, Classifier)
    explanation = explain_memory(model, task, word, recoverable_states(statement, model, task), classifier)
    if explanation is None:
        raise InputError("", "an input of probability 0", "one that the model can produce", "--input")
    document = _explained(statement, explanation.document, classifier, reason)
    show(as_json, document, lambda: terminal.show_memory_explanation(statement, explanation, reason))
    return 0


def _explained(
    statement: Statement, document: Json, classifier: Classifier | AttentionClassifier | None, reason: str
) -> Json:
    """Add to an explanation what it is about: the statement, and the head or why there is none."""
    head, prompt = (None, None) if classifier is None else classifier.documents
    return {"statement": statement.id, "head": head, "prompt": prompt, "reason": reason or None, **document}


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError("the file", (error.strerror or "unreadable").lower(), "a readable file", path) from None


def _check(name: str, text: bytes, model_text: bytes | None) -> dict[str, Any]:
    try:
        claim = kernel.check(text, model_text)
    except kernel.Rejected as rejected:
        return {"certificate": name, "accepted": False, "reason": str(rejected)}
    except kernel.Unparseable as error:
        raise InputError("", str(error), "a certificate", name) from None
    return {"certificate": name, "accepted": True, "claim": claim.raw, "sentence": claim.sentence()}
