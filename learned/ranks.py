"""Training on several devices: the processes that torchrun starts, one for each, and what passes between them.

    torchrun --standalone --nproc-per-node 4 --no-python headproof learn pretrain --device cuda ...

Each process ("rank") has the whole network and draws all sequences and masks of a step, from a generator of the same
state: drawing is cheap. It learns from its share of them, and the gradients of all are averaged. So N ranks take the
steps that one process takes, up to the order of sums, and all have the same weights, bit for bit.

The average is one sum of one flat vector. Each entry has its place in it at every step, so it is summed in the same
order in a run that was interrupted.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import distributed

from constructions.reading import InputError
from constructions.system.processes import end_with_parent
from learned.presets import Preset


@dataclass(frozen=True)
class Ranks:
    """This process, `rank` of `size`; it is `local_rank` of the `local_size` on this machine."""

    rank: int = 0
    size: int = 1
    local_rank: int = 0
    local_size: int = 1

    def check(self, preset: Preset, device: str) -> None:
        """Raise `InputError` unless each rank has an equal share of every batch, and each its GPU for "cuda"."""
        batches = sorted({stage.sequences for stage in preset.stages})
        if any(batch % self.size for batch in batches):
            fitting = [str(n) for n in range(1, batches[0] + 1) if all(batch % n == 0 for batch in batches)]
            sizes = " and ".join(map(str, batches))
            expected = f"one of {', '.join(fitting)}, which divide batches of {sizes} sequences evenly"
            raise InputError("processes", str(self.size), expected, "torchrun")
        if device != "cpu" and self.local_size > (gpus := torch.cuda.device_count()):
            raise InputError("processes", str(self.local_size), f"at most {gpus}, one for each GPU", "torchrun")

    @contextmanager
    def joined(self, device: str) -> Iterator[None]:
        """Meet the other ranks, and have one of this machine's GPUs for "cuda".

        A rank that fails leaves without a farewell: none waits for it, nor it for any.
        """
        if self.size == 1:
            yield
            return
        end_with_parent(os.getppid())
        if device != "cpu":
            torch.cuda.set_device(self.local_rank)
        distributed.init_process_group("gloo" if device == "cpu" else "cpu:gloo,cuda:nccl")
        if device != "cpu":
            self.agree(torch.cuda.get_device_name())
        yield
        distributed.destroy_process_group()

    def agree(self, name: str) -> None:
        """Raise `InputError` unless all ranks have the same kind of GPU, as only these draw the same data."""
        kinds = sorted(set(self.gather(name)))
        if len(kinds) > 1:
            raise InputError("GPUs", " and ".join(kinds), "GPUs of one kind (CUDA_VISIBLE_DEVICES)", "torchrun")

    @property
    def rows(self) -> slice:
        """This rank's rows of a batch."""
        return slice(self.rank, None, self.size)

    def average(self, parameters: Iterable[Any]) -> None:
        """Replace the gradients by their means over all ranks."""
        if self.size == 1:
            return
        gradients = [parameter.grad for parameter in parameters]
        total = torch.nn.utils.parameters_to_vector(gradients)
        distributed.all_reduce(total)
        torch.nn.utils.vector_to_parameters(total / self.size, gradients)

    def gather(self, value: Any) -> list[Any]:
        """Return the values of all ranks, to all."""
        values = [value] * self.size
        if self.size > 1:
            distributed.all_gather_object(values, value)
        return values


ALONE = Ranks()
"""One process, not started by torchrun."""


def started() -> Ranks:
    """Return what torchrun says in the environment of a process that it has started; `ALONE` in any other."""
    if not distributed.is_torchelastic_launched():
        return ALONE
    return Ranks(*(int(os.environ[name]) for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE")))
