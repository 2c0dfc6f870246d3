"""Imports keep to the arrows of docs/architecture.md, and packages are small and say what belongs in them.

A *room* is a folder of modules. A *box* of the drawing stands for a room or for a module.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from itertools import chain, pairwise
from pathlib import Path
from typing import TypeAlias

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("headproof", "constructions", "verify", "learned", "formal")
TOP = sorted(path.stem for path in ROOT.glob("*.py"))
"""The modules at the top of the repository, outside all packages."""
ROOMS = sorted({path.parent for package in PACKAGES for path in (ROOT / package).rglob("*.py")})
CHAIN = 14
"""The most links that a chain of imports may have."""
KERNEL_CHAIN = 7
"""The most links of a chain that begins with the kernel: the layers that a reader of the kernel alone has to read."""

Imports: TypeAlias = Mapping[str, set[str]]


def module_name(path: Path) -> str:
    """The name by which a file is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_name(path): path for room in [ROOT, *ROOMS] for path in room.glob("*.py")}


def module_of(name: str) -> str | None:
    """The module of this repository in which a dotted name lies: `a.b` for `a.b` and `a.b.C`; None for other names."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name or None


def imported_names(module: str) -> Iterator[str]:
    """The dotted names that a module imports, at its top or in a function, and those in texts such as "a.b:c"."""
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module} imports by a relative name"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and re.fullmatch(r"[\w.]+\.\w+:\w+", str(node.value)):
            yield str(node.value).replace(":", ".")


@cache
def imports() -> Imports:
    """For each module, the modules of ours that it imports."""
    return {module: {other for name in imported_names(module) if (other := module_of(name))} for module in MODULES}


def place(box: str) -> str:
    """The module or package that a box of the drawing stands for: at the top of the repository, or in `verify`."""
    return (box if box in (*PACKAGES, *TOP) else f"verify/{box}").replace("/", ".")


@cache
def drawing() -> Imports:
    """The arrows of the drawing in docs/architecture.md, from each box to those that it points at."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    [drawn] = re.findall(r"^```mermaid\nflowchart TD\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    arrows: dict[str, set[str]] = {}
    for line in filter(None, map(str.strip, drawn.splitlines())):
        layers = [[place(box) for box in layer.split(" & ")] for layer in line.split(" --> ")]
        for box in chain.from_iterable(layers):
            arrows.setdefault(box, set())
        for starts, ends in pairwise(layers):
            for start in starts:
                arrows[start].update(ends)
    return arrows


@cache
def reached(box: str) -> frozenset[str]:
    """A box, and all boxes to which arrows lead from it, at once or through others."""
    return frozenset({box}).union(*map(reached, drawing()[box]))


def box_of(module: str) -> str:
    """The box that a module is in: its own, or that of the nearest room around it."""
    while module and module not in drawing():
        module = module.rpartition(".")[0]
    return module


@cache
def longest(module: str) -> tuple[str, ...]:
    """The longest chain of imports that begins with a module."""
    return (module, *max((longest(other) for other in imports()[module]), key=len, default=()))


def test_every_file_of_the_spine_and_every_room_of_verify_is_drawn_and_all_that_is_drawn_is_there() -> None:
    files = [*(ROOT / "verify").glob("*.py"), *(ROOT / "verify").rglob("__init__.py")]
    assert drawing().keys() == {module_name(path) for path in files} | {"headproof", "constructions", "learned", *TOP}


def test_the_arrows_of_the_drawing_lead_downwards() -> None:
    list(TopologicalSorter(drawing()).static_order())  # raises a CycleError that names a circle


def test_every_import_goes_along_arrows() -> None:
    """A path of arrows, often a single one, leads from a box to all that it imports. `formal` imports only itself."""
    against = [
        f"{module} imports {other}"
        for module in MODULES
        for other in imports()[module]
        if not (module.startswith("formal") and other.startswith("formal"))
        and (module.startswith("formal") or box_of(other) not in reached(box_of(module)))
    ]
    assert not against


def test_every_arrow_of_the_drawing_is_an_import() -> None:
    drawn = [module for module in MODULES if not module.startswith("formal")]
    used = {(box_of(module), box_of(other)) for module in drawn for other in imports()[module]}
    assert {(start, end) for start, ends in drawing().items() for end in ends} <= used


def test_no_arrow_is_drawn_that_others_imply() -> None:
    for start, ends in drawing().items():
        for end in ends:
            assert not any(end in reached(other) for other in ends - {end}), f"{start} --> {end}"


def test_no_module_imports_itself_in_a_circle() -> None:
    list(TopologicalSorter(imports()).static_order())  # raises a CycleError that names a circle


def test_no_chain_of_imports_is_long() -> None:
    longest_chain = max(map(longest, MODULES), key=len)
    assert len(longest_chain) - 1 <= CHAIN, " > ".join(longest_chain)
    assert len(longest("verify.kernel")) - 1 <= KERNEL_CHAIN, " > ".join(longest("verify.kernel"))


@pytest.mark.parametrize("top", ["verify", "tests", "constructions", "learned", "formal"])
def test_no_folder_has_many_modules(top: str) -> None:
    limit = 15 if top in ("verify", "tests") else 20
    for folder in {path.parent for path in (ROOT / top).rglob("*.py")}:
        name = folder.relative_to(ROOT).as_posix()
        modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(modules) <= limit, f"{name} has {len(modules)}"


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.relative_to(ROOT).as_posix())
def test_a_room_says_what_belongs_in_it_and_what_does_not(room: Path) -> None:
    docstring = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert re.search(r"^Here: .*\bNot\shere: ", docstring, re.MULTILINE | re.DOTALL), docstring


DATA = {"headproof_models", "headproof_results", "headproof_formal"}
"""Packages that are installed for their files, under other names than their folders have in a clone."""


def test_every_package_is_installed_and_formal_under_another_name() -> None:
    """A package that is missing in the list of packages to install would work only in a clone."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = {module_name(room / "__init__.py") for room in ROOMS} - {"formal"}
    assert set(settings["tool"]["setuptools"]["packages"]) == packages | DATA
