"""Heads that users write, for models of both kinds: each is judged, and a verdict that decides has a certificate."""

import json
from functools import cache

from constructions.models import ModelAndTask, load, with_task
from constructions.reading import InputError
from fuzz.bounds import ROOT, file, one_line
from verify.certificates import head_certificate
from verify.commands.build import read_own
from verify.prover import judge_head, prove
from verify.statements import THEOREMS, about

MODELS = ("umbrella", "multiclass", "loud-outsider")


@cache
def models_and_tasks() -> list[ModelAndTask]:
    models = (with_task(load(ROOT / "models" / f"{name}.json")) for name in MODELS)
    return [model for model in models if model is not None]


def seeds() -> list[bytes]:
    """Heads as `build --json` prints them: for each model, the head of every theorem that holds on this model."""
    documents = []
    for model, task in models_and_tasks():
        for statement in filter(lambda theorem: about(theorem, model), THEOREMS.values()):
            conclusion = prove(statement, model, task).conclusion
            if conclusion is not None and conclusion.holds:
                head, prompt = conclusion.head.documents
                documents.append(json.dumps({"statement": statement.id, "head": head, "prompt": prompt}).encode())
    return documents


def read(data: bytes) -> None:
    path = file("head.json", data)
    for model_and_task in models_and_tasks():
        try:
            head_verdict = read_own(str(path), model_and_task)
        except InputError as error:
            one_line(str(error))
        else:
            verdict = judge_head(head_verdict.model, head_verdict.task, head_verdict.classifier)
            assert verdict.answer == "undecided" or head_certificate(verdict) is not None
