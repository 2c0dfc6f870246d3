"""What commands are given, read and checked: statements, models with their tasks, inputs."""

from __future__ import annotations

from dataclasses import replace

from constructions.evidence import Word
from constructions.memory.model import read_recoverable
from constructions.models import HMM, Known, Model, is_memory, load
from constructions.reading import InputError, Literal, Node, parse
from constructions.tasks import MemoryTask, Task, read_rows
from verify.statements import STATEMENTS, Statement, about
from verify.verdicts import HeadVerdict


def find_statement(name: str, known: dict[str, Statement] = STATEMENTS) -> Statement:
    """Return a statement by its number. Raises `InputError` for one that is not among those known."""
    if name not in known:
        kind = "a statement" if known is STATEMENTS else "a statement with a head"
        raise InputError("", f'"{name[:40]}"', f"{kind}: {', '.join(known)}", "statement")
    return known[name]


def check_kind(statement: Statement, known: Known, path: str) -> None:
    """Refuse a statement about the other kind of model."""
    if not about(statement, known[0]):
        kind = "memory-hmm" if is_memory(known) else "hmm"
        raise InputError("kind", f'"{kind}"', f'"{statement.about}", which {statement.id} is about', path)


def load_known(path: str, mu: str | None, cell: int | None = None, recoverable: str | None = None) -> Known:
    """Read a model of either kind with its task, or with another mu, cell or S*."""
    model, task = load(path)
    if isinstance(model, HMM):
        for option, value in (("--cell", cell), ("--recoverable", recoverable)):
            if value is not None:
                raise InputError("kind", '"hmm"', f'"memory-hmm", which {option} is about', path)
        return load_vanilla(path, mu)
    given = task if isinstance(task, MemoryTask) else None
    if mu is not None:
        rows = read_rows(parse(mu, "--mu") if mu.lstrip().startswith("[") else _rows(mu), model.shape.values)
        given = replace(given, mu=rows) if given else MemoryTask(rows)
    if given is None:
        raise InputError("task", "none", "a task in the file, or --mu", path)
    if cell is not None:
        given = replace(given, cell=Node(Literal(str(cell)), "--cell", "").index(model.shape.cells))
    if recoverable is not None:
        states = Node([Literal(entry.strip()) for entry in recoverable.split(",")], "--recoverable", "")
        given = replace(given, recoverable=read_recoverable(states, model.shape))
    return model, given


def load_vanilla(path: str, mu: str | None) -> tuple[HMM, Task]:
    """Read a vanilla model with its task, or with another mu."""
    model, task = load(path)
    if not isinstance(model, HMM):
        raise InputError("kind", '"memory-hmm"', '"hmm", which this command is about', path)
    if mu is not None:
        node = parse(mu, "--mu") if mu.lstrip().startswith("[") else _rows(mu)
        task = Task.from_node(node, len(model.states))
    if task is None:
        raise InputError("task", "none", "a task in the file, or --mu", path)
    return model, task


def _rows(text: str) -> Node:
    rows = [[Literal(entry.strip()) for entry in row.split(",")] for row in text.split(";")]
    return Node(rows[0] if len(rows) == 1 else rows, "", "--mu")


def read_word(text: str, model: Model) -> Word:
    """Read token indices or names; digits are always an index."""
    names = {name: token for token, name in enumerate(model.tokens)}
    names |= {str(token): token for token in range(len(model.tokens))}
    word = []
    for position, entry in enumerate(part.strip() for part in text.split(",")):
        if entry not in names or (entry.isdigit() and int(entry[:9]) >= len(model.tokens)):
            expected = f"an index from 0 to {len(model.tokens) - 1}, or a token's name"
            raise InputError(f"token {position}", f'"{entry[:40]}"', expected, "--input")
        word.append(names[entry])
    return tuple(word)


def same_statement(node: Node | None, verdict: HeadVerdict) -> None:
    """Refuse a head whose file says that it is for another statement."""
    fits = {"4.6", "C.6"} if verdict.statement in {"4.6", "C.6"} else {verdict.statement}
    if node is not None and node.string() not in fits:
        raise node.complain(f"{verdict.statement}, the statement of such a head")
