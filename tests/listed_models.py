"""Every small model with a task, random ones, and a search that decides models one by one.

Notation: constructions/__init__.py.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random
from typing import cast

from constructions.models import Model, ModelAndTask
from constructions.tasks import MemoryTask, Task
from verify.search.counterexamples import Search
from verify.search.outcomes import Hit, Outcome
from verify.search.small_models import Bounds, Kind, Shard, Size, SmallModel, shapes, shards
from verify.search.symmetry import distributions, is_vanilla


def small_models(about: Kind, size: Size) -> Iterator[SmallModel]:
    """Yield every model of a kind with exactly this size, up to relabelling."""
    return chain.from_iterable(shard.models() for shard in shards(about, size))


def with_tasks(model: SmallModel) -> Iterator[ModelAndTask]:
    """Yield the model with each of its tasks."""
    return (cast(ModelAndTask, (model.model, task)) for task in model.tasks)


def small(about: Kind, bounds: Bounds) -> Iterator[ModelAndTask]:
    """Yield every model of a kind within the bounds, with every task."""
    return (problem for size in bounds.sizes for model in small_models(about, size) for problem in with_tasks(model))


def draw(about: Kind, bounds: Bounds, random: Random) -> ModelAndTask:
    """Draw a model with a task, each part uniformly: a shape, a number of tokens, a denominator d, then laws.

    Probabilities are multiples of 1/d. If the bounds allow it, d and the number of tokens are at least 2, and so is the
    number of states of a vanilla model.
    """
    fewest = 1 if about == "memory-hmm" else min(2, bounds.states)
    shape = random.choice([shape for states in range(fewest, bounds.states + 1) for shape in shapes(about, states)])
    tokens, denominator = (random.randint(min(2, limit), limit) for limit in (bounds.tokens, bounds.denominator))
    laws = distributions(shape.hidden, denominator)
    memories = distributions(len(shape.memories), denominator)
    memory = memories[0] if is_vanilla(shape) else random.choice(memories)
    initial, transition = random.choice(laws), tuple(random.choices(laws, k=shape.hidden))
    emission = tuple(random.choices(distributions(tokens, denominator), k=shape.columns))
    model = SmallModel(Shard(shape, denominator, emission, memory, initial, ()), transition, ()).model
    length = shape.hidden if is_vanilla(shape) else shape.values
    row = next(filter(any, iter(lambda: random.choices((-1, 0, 1), k=length), [])))
    task = Task.of(row) if is_vanilla(shape) else MemoryTask.of(row, random.randrange(shape.cells))
    return cast(ModelAndTask, (model, task))


def candidates(search: Search, model: Model, tasks: Iterable[Task]) -> Iterator[tuple[Task, bool]]:
    """Yield each task, and whether the model with this task could break the statement.

    A task that does not name its H* is yielded once for each H* that the search tries.
    """
    possible = search.may_break(model)
    for task in tasks:
        has_its_own = getattr(task, "recoverable", None) is not None
        for variant in [task] if has_its_own else search.with_recoverable_states(model, task):
            yield variant, possible and search.may_break(model, variant)


def one_by_one(search: Search, models: Iterable[tuple[Model, Iterable[Task]]]) -> Outcome:
    """Return the outcome of a search that decides the candidates one at a time, and does not call `Search._sift`.

    A candidate is a pair of a model and a task on which the statement could fail. The search stops once inputs of one
    token refute the statement on a model.
    """
    outcome, max_length = Outcome(), search.length
    for model, tasks in models:
        answers = list(candidates(search, model, tasks))
        problems = [task for task, candidate in answers if candidate]
        undecided, hit = 0, None
        for task in problems:
            conclusion = search.decide(model, task, max_length)
            undecided += conclusion is None
            if conclusion is not None and conclusion.holds is False:
                hit = Hit(max(map(len, conclusion.inputs)), model, task)
                max_length = hit.longest - 1
        outcome = outcome.then(Outcome(len(answers), len(problems), undecided, hit=hit))
        if outcome.final:
            break
    return outcome
