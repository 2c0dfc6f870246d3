"""The mutants of a source file: those of mutmut's operators, and those that delete a call or a `yield`.

Some code is spared, as no test should pin it:
- Texts for people: whatever is raised, what a rule of the kernel says of a certificate, strings of several words.
- Prices: the arguments of `spend` and `hold`. Whole calls of these are deleted like other calls.
- The argument `strict` of `zip`, and the first argument of `cast`: they only guard against a programmer's slips.
- Most mutants that mypy refuses: None for a value or an argument, and a call without one of its arguments, unless it is
  the last.
- Defaults of parameters, which stand outside the code of a function.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import ndiff
from pathlib import Path
from types import CodeType

import libcst as cst
from libcst import matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import create_mutations

MUST = m.Call(func=m.Attribute(attr=m.Name("must")))  # its first argument is the rule, the others are texts
PRICE = m.Call(func=m.Attribute(attr=m.Name("spend") | m.Name("hold")))
STRICT = m.Arg(keyword=m.Name("strict"))
CAST = m.Call(func=m.Name("cast"))
TEXT = m.SimpleString() | m.FormattedString() | m.ConcatenatedString()
NOTHING = m.Name("None") | m.SimpleString('""')
CALL = m.SimpleStatementLine(body=[m.Expr(m.Call() | m.Yield())])
PLAIN = m.Decorator(m.Name("classmethod") | m.Name("staticmethod"))
FUNCTION = m.FunctionDef(decorators=[m.ZeroOrMore(PLAIN)])


@dataclass(frozen=True)
class Mutant:
    """A function with one change. The mutant's name stays the same until someone edits the original function."""

    name: str
    function: str  # qualified
    lines: range  # of the file, those that are changed
    code: CodeType


def mutants(path: Path) -> Iterator[Mutant]:
    """The mutants of a file's functions, function by function, in the order of the functions in the file."""
    module, mutations, _, _ = create_mutations(str(path), path.read_text(encoding="utf-8"))
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    spared = set(map(id, parts_spared(module)))
    names: Counter[str] = Counter()
    for owner, function in functions(module):
        within = [mutation for mutation in mutations if mutation.contained_by_top_level_function is function]
        changes = [(mutation.original_node, mutation.mutated_node) for mutation in within]
        changes += [(line, line.with_changes(body=[cst.Pass()])) for line in m.findall(function, CALL)]
        for old, new in changes:
            if id(old) in spared or not worth_trying(old, new, spared):
                continue
            mutant = cst.ensure_type(function.deep_replace(old, new), cst.FunctionDef)
            qualified = ".".join((*owner, function.name.value))
            name = f"{qualified}: {difference(module, function, mutant)}"
            names[name] += 1
            place = positions[old] if old in positions else positions[function]
            lines = range(place.start.line, place.end.line + 1)
            code = compiled(module.code_for_node(mutant), owner, str(path))
            yield Mutant(name if names[name] == 1 else f"{name} ({names[name]})", qualified, lines, code)


def functions(module: cst.Module) -> Iterator[tuple[tuple[str, ...], cst.FunctionDef]]:
    """The functions and methods that mutmut alters, each with the class to which it belongs, if any."""
    for statement in module.body:
        inside = statement.body.body if isinstance(statement, cst.ClassDef) else [statement]
        owner = (statement.name.value,) if isinstance(statement, cst.ClassDef) else ()
        for function in inside:
            if m.matches(function, FUNCTION):
                yield owner, cst.ensure_type(function, cst.FunctionDef)


def parts_spared(module: cst.Module) -> Iterator[cst.CSTNode]:
    """The nodes that are left as they are."""
    for node in below(module):
        if isinstance(node, cst.Raise | cst.Param) or m.matches(node, STRICT):
            yield from below(node)
        elif several_words(node.value if isinstance(node, cst.Arg) else node):
            yield node
        elif isinstance(node, cst.Call):
            first = 1 if m.matches(node, MUST) else 0 if m.matches(node, PRICE) else len(node.args)
            for argument in node.args[:1] if m.matches(node, CAST) else node.args[first:]:
                yield from below(argument)


def several_words(text: cst.CSTNode) -> bool:
    """Whether a node is a string of several words."""
    parts = below(text) if m.matches(text, TEXT) else ()
    return any(" " in part.value for part in parts if isinstance(part, cst.SimpleString | cst.FormattedStringText))


def below(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all nodes below it."""
    yield node
    for child in node.children:
        yield from below(child)


def worth_trying(old: cst.CSTNode, new: cst.CSTNode, spared: set[int]) -> bool:
    """Whether a mutant is worth a run.

    It is not worth a run if it only changes the case of a string, leaves out a spared argument, or is among the mutants
    that mypy refuses (listed at the top of this file).
    """
    if isinstance(new, cst.Assign | cst.AnnAssign):
        return isinstance(old, cst.AugAssign) or not m.matches(
            new, m.Assign(value=NOTHING) | m.AnnAssign(value=NOTHING)
        )
    if isinstance(new, cst.SimpleString):
        return "XX" in new.value
    if isinstance(old, cst.Call) and isinstance(new, cst.Call) and new.func is old.func:
        remaining = set(map(id, new.args))
        changed = next(argument for argument in old.args if id(argument) not in remaining)
        rule = m.matches(old, MUST) and changed is old.args[0]
        return len(new.args) < len(old.args) and id(changed) not in spared and (rule or changed is old.args[-1])
    return True


def difference(module: cst.Module, before: cst.FunctionDef, after: cst.FunctionDef) -> str:
    """The lines of two versions of a function that differ, with - or + before each."""
    lines = [module.code_for_node(function).splitlines() for function in (before, after)]
    return " ".join(re.sub(r"\s+", " ", line) for line in ndiff(*lines) if line[0] in "-+")


def compiled(text: str, owner: tuple[str, ...], path: str) -> CodeType:
    """The code of a function, or of a method of a class."""
    bare = re.sub(r"\A(\s*#.*\n|\s*@.*\n|\s*\n)*", "", text)
    code = compile(f"class {owner[0]}:\n{textwrap.indent(bare, ' ')}" if owner else bare, path, "exec")
    for _ in (*owner, ""):
        *_, code = (constant for constant in code.co_consts if isinstance(constant, CodeType))  # defaults come first
    return code
