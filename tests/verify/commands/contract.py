"""The keys and the kinds of numbers that the command's JSON promises, and files with the command's output."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from command import headproof, save, shipped

UMBRELLA = shipped("umbrella")
THEOREMS = ("3.3", "3.6")
HYPOTHESES = {"3.3": ["3.1", "3.2:ergodic", "3.2:full-support"], "3.6": ["3.2:ergodic", "3.2:full-support", "3.5"]}
MESSAGE = {"token", "embedding", "right", "left", "tau", "output"}
NUMBERS = (MESSAGE - {"token"}) | {
    "matrix",
    "vector",
    "left_inverse",
    "null_vectors",
    "b",
    "u",
    "posterior",
    "task_scores",
    "head_scores",
}
COUNTS = {
    "0",
    "1",
    "2",
    "power",
    "states",
    "state",
    "period",
    "phases",
    "prompt_states",
    "recoverable",
    "nodes",
    "input",
    "inputs",
    "missed",
    "undefined_inputs",
    "length",
    "read",
    "label",
    "head_label",
}


def leaves(value: object, key: str = "") -> Iterator[tuple[str, object]]:
    """Yield (key, scalar) for every scalar of a document; the key is the nearest one above the scalar."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from leaves(member, name)
    elif isinstance(value, list):
        for entry in value:
            yield from leaves(entry, key)
    else:
        yield key, value


def assert_numbers_are_exact(document: object) -> None:
    for key, value in leaves(document):
        if key in NUMBERS and value is not None:
            assert isinstance(value, str), key
            assert str(Fraction(value)) == value
        elif isinstance(value, int) and not isinstance(value, bool):
            assert key in COUNTS


def exact(value: Any) -> Any:
    """Turn nested lists of strings "p/q" into nested lists of fractions."""
    return [exact(entry) for entry in value] if isinstance(value, list) else Fraction(value)


def build(statement: str, model: str = "umbrella", *options: str) -> str:
    """Run `build --json`, write its output to a file, and return the path of the file."""
    done = headproof("build", statement, "--model", shipped(model), "--json", *options)
    assert done.status == 0
    return save(f"{model}-{statement}-head.json", done.out)


def certify(statement: str = "3.3", model: str = "umbrella") -> str:
    """Let `verify` write a certificate, and return its path."""
    path = headproof("verify", statement, "--model", shipped(model), "--json").json["results"][0]["certificate"]
    assert isinstance(path, str)
    return path


def tamper(certificate: str) -> str:
    return save("tampered.json", Path(certificate).read_text().replace('"all-inputs"', '"all-models"'))


def tables() -> str:
    """Write the tables of a model, whose rows are distributions, and return their folder."""
    Path("tables").mkdir()
    for name, rows in (("initial", "0.5,0.5"), ("transition", "0.25,0.75\n0.5,0.5"), ("emission", "0.1,0.9\n0.4,0.6")):
        save(f"tables/{name}.csv", rows)
    return "tables"
