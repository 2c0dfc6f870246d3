"""A certificate of each kind of evidence, written by hand, and one about all models of a shape."""

import json
from itertools import chain

from head_certificates import HEADS
from lemma_certificates import LEMMAS
from memory_certificates import BUILD
from vanilla_certificates import VANILLA

from verify.symbolic.certificates import all_models_certificate
from verify.symbolic.proof import prove
from verify.symbolic.shapes import HMMShape


def of_every_kind() -> list[bytes]:
    by_hand = chain(VANILLA, LEMMAS, BUILD.values(), HEADS.values())
    shape = all_models_certificate(prove("3.3", HMMShape(2, 2), "minor"))
    return [json.dumps(one).encode() for one in (*(build() for build in by_hand), shape)]
