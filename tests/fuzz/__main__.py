"""`python -m tests.fuzz TARGET`: feed mutants to a target, and go on from those that reach new lines.

Atheris (libFuzzer) stops at the first input on which the target raises, fills the memory, or takes longer than is
allowed for the input's length. This input is then in the folder --found, and `--seconds 0 FILE` runs it again.
"""

import argparse
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from time import process_time

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "kernel/certificates")]

import atheris  # noqa: E402

from fuzz.mutating import mutant  # noqa: E402

TARGETS = ("models", "certificates", "heads")
MAX_BYTES = 2**15  # bytes of an input
AT_LEAST, PER_KIB = 5.0, 1.0  # seconds that an instrumented reader may take: for any input, and for each KiB of it
TIMEOUT = 120  # seconds after which libFuzzer gives up waiting for an answer
MEMORY = 2048  # MiB


def within_bounds(read: Callable[[bytes], None]) -> Callable[[bytes], None]:
    def timed(data: bytes) -> None:
        start = process_time()
        read(data)
        seconds, limit = process_time() - start, AT_LEAST + PER_KIB * len(data) / 1024
        assert seconds <= limit, f"{len(data)} bytes took {seconds:.1f} s, more than {limit:.1f}"

    return timed


def mutate(data: bytes, longest: int, seed: int) -> bytes:
    """Return one mutant of `data`, for libFuzzer; or `data` itself, if the mutant has more than `longest` bytes.

    Bytes that are no JSON document are mutated by libFuzzer itself.
    """
    mutated = mutant(bytes(data), Random(seed), lambda text: bytes(atheris.Mutate(text, longest)))
    return mutated if len(mutated) <= longest else bytes(data)


def main() -> None:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("again", nargs="*", metavar="FILE", help="inputs to run again, and no others")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, help="a folder to go on from, which keeps what reached new lines")
    parser.add_argument("--found", default="", help="where an input that is found goes, with a / at its end")
    args = parser.parse_intermixed_args()
    with atheris.instrument_imports(include=["constructions", "verify"]):
        target = import_module(f"fuzz.{args.target}")
    from fuzz.bounds import FOLDER  # removed when this process ends; libFuzzer ends its own without cleaning up

    if child := os.fork():
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    corpus, seeds = args.corpus or FOLDER / "corpus", FOLDER / "seeds"
    for folder in (corpus, seeds):
        folder.mkdir(parents=True, exist_ok=True)
    for i, seed in enumerate(target.seeds()):
        (seeds / str(i)).write_bytes(seed)
    options = [f"-max_total_time={args.seconds}", f"-seed={args.seed}", f"-max_len={MAX_BYTES}", f"-timeout={TIMEOUT}"]
    options += [f"-rss_limit_mb={MEMORY}", f"-artifact_prefix={args.found}", "-print_final_stats=1", "-len_control=0"]
    inputs = args.again or [str(corpus), str(seeds)]
    atheris.Setup([sys.argv[0], *options, *inputs], within_bounds(target.read), custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
