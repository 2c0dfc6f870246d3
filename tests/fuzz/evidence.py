"""A certificate of each kind of evidence, written by hand."""

import json
from itertools import chain

from head_certificates import HEADS
from lemma_certificates import LEMMAS
from memory_certificates import BUILD
from vanilla_certificates import VANILLA


def of_every_kind() -> list[bytes]:
    by_hand = chain(VANILLA, LEMMAS, BUILD.values(), HEADS.values())
    return [json.dumps(build()).encode() for build in by_hand]
