"""The types of `headproof`, installed as `headproof-stubs`: one file alone cannot say that it has types (PEP 561)."""

from typing import Any

from constructions.converse.every_task import hardest_task as hardest_task
from constructions.models import HMM as HMM
from constructions.models import MemoryHMM as MemoryHMM
from constructions.models import save as save
from constructions.own.arrays import from_arrays as from_arrays
from constructions.own.fitted import from_fitted as from_fitted
from constructions.reading import InputError as InputError
from constructions.tasks import MemoryTask as MemoryTask
from constructions.tasks import Task as Task
from verify import strategies as strategies
from verify.entry import build as build
from verify.entry import explain as explain
from verify.entry import labels as labels
from verify.entry import load as load
from verify.entry import margin as margin
from verify.entry import search as search
from verify.entry import verify as verify
from verify.parametric import Family as Family
from verify.parametric import MemoryFamily as MemoryFamily
from verify.parametric import phases as phases
from verify.parametric import regions as regions

class Pictures:
    def __getattr__(self, name: str) -> Any: ...

plot: Pictures
