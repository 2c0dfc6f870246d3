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
def known() -> list[ModelAndTask]:
    found = (with_task(load(ROOT / "models" / f"{name}.json")) for name in MODELS)
    return [one for one in found if one is not None]


def seeds() -> list[bytes]:
    """Heads as `build --json` prints them, one for each model and theorem that has one."""
    made = []
    for model, task in known():
        for statement in filter(lambda one: about(one, model), THEOREMS.values()):
            conclusion = prove(statement, model, task).conclusion
            if conclusion is not None and conclusion.head is not None:
                head, prompt = conclusion.head.documents
                made.append(json.dumps({"statement": statement.id, "head": head, "prompt": prompt}).encode())
    return made


def read(data: bytes) -> None:
    path = file("head.json", data)
    for one in known():
        try:
            own = read_own(str(path), one)
        except InputError as error:
            one_line(str(error))
        else:
            verdict = judge_head(own.model, own.task, own.classifier)
            assert verdict.answer == "undecided" or head_certificate(verdict) is not None
