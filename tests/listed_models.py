"""Every small model with a task, and random ones, for tests."""

from collections.abc import Iterator
from random import Random
from typing import cast

from constructions.models import ModelAndTask
from verify.search.small_models import Bounds, Kind, SmallModel, _model, _mu_length, _task, shapes, small_models
from verify.search.symmetry import distributions, is_vanilla


def with_tasks(model: SmallModel) -> Iterator[ModelAndTask]:
    """Yield the model with each of its tasks."""
    return (cast(ModelAndTask, (model.model, task)) for task in model.tasks)


def small(about: Kind, bounds: Bounds) -> Iterator[ModelAndTask]:
    """Yield every model of a kind within the bounds, with every task."""
    return (known for size in bounds.sizes for model in small_models(about, size) for known in with_tasks(model))


def draw(about: Kind, bounds: Bounds, random: Random) -> ModelAndTask:
    """Draw a model with a task: first its size within the bounds, then each distribution, all uniformly."""
    fewest = 1 if about == "memory-hmm" else min(2, bounds.states)
    shape = random.choice([shape for states in range(fewest, bounds.states + 1) for shape in shapes(about, states)])
    tokens, denominator = (random.randint(min(2, limit), limit) for limit in (bounds.tokens, bounds.denominator))
    laws = distributions(shape.hidden, denominator)
    memories = distributions(len(shape.memories), denominator)
    memory = memories[0] if is_vanilla(shape) else random.choice(memories)
    initial, transition = random.choice(laws), tuple(random.choices(laws, k=shape.hidden))
    emission = tuple(random.choices(distributions(tokens, denominator), k=shape.columns))
    model = _model(shape, denominator, emission, memory, initial, transition)
    rows = iter(lambda: random.choices((-1, 0, 1), k=_mu_length(shape)), [])
    task = _task(shape, next(filter(any, rows)), 0 if is_vanilla(shape) else random.randrange(shape.cells))
    return cast(ModelAndTask, (model, task))
