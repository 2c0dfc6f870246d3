"""The rules of derivations: section 13 of docs/certificate-format.md, whose table says the same and why each is sound.

Small letters are variables with the types given, I and J any index sets (possibly empty). Two further rules, of which
every number of factors is an instance, are REGROUPINGS.
"""

from verify.kernel.judgments import Schema, check_types, read_judgment
from verify.kernel.terms import UNIT, Signature, read_type

REGROUPINGS = {"associativity": "mul", "arrangement": "had"}
"""Two products of the same factors: in the same order for the matrix product, in any for the elementwise one."""

TABLE = """
identity-left          a: I x J                        |- id(I) a = a
identity-right         a: I x J                        |- a id(J) = a
scalars-commute        c: scalar, d: scalar            |- c d = d c
inner-product          a: I, b: I                      |- a' b = b' a
transpose-twice        a: I x J                        |- a'' = a
transpose-product      a: I x J, b: J x K              |- (a b)' = b' a'
transpose-o            a: I x J, b: I x J              |- (a o b)' = a' o b'
transpose-diagonal     a: I                            |- diag(a)' = diag(a)
transpose-scalar       c: scalar                       |- c' = c
diagonal               a: I, b: I                      |- diag(a) b = a o b
ones                   a: I                            |- one(I) o a = a
sum                    a: I, b: I                      |- one(I)' (a o b) = a' b
scale                  a: I, b: I, c: scalar           |- a o b c = (a o b) c
inverse                a: I; a > 0                     |- inv(a) o a = one(I)
own-inverse            a: I                            |- a o (a o inv(a)) = a
scalar-inverse         c: scalar; c > 0                |- inv(c) c = id(1)
inverse-o              a: I, b: I                      |- inv(a o b) = inv(a) o inv(b)
inverse-product        c: scalar, d: scalar            |- inv(c d) = inv(c) inv(d)
inverse-twice          a: I                            |- inv(inv(a)) = a
support                a: J x I, p: I; a >= 0; p >= 0 |- diag(a p o inv(a p)) (a diag(p)) = a diag(p)
product-zero           a: I x J                        |- a zero(J) = zero(I)
zero-scale             I: index, c: scalar            |- zero(I) c = zero(I)
o-zero                 a: I                            |- a o zero(I) = zero(I)
nothing                a: I; a >= 0; one(I)' a = zero(1) |- a = zero(I)
add-product            a: I x J, b: I x J, c: J x K    |- (a + b) c = a c + b c
product-add            c: K x I, a: I x J, b: I x J    |- c (a + b) = c a + c b
subtract-product       a: I x J, b: I x J, c: J x K    |- (a - b) c = a c - b c
add-o                  a: I x J, b: I x J, c: I x J    |- (a + b) o c = a o c + b o c
transpose-add          a: I x J, b: I x J              |- (a + b)' = a' + b'
add-subtract           a: I x J, b: I x J              |- (a + b) - a = b
subtract-add           a: I x J, b: I x J              |- a + (b - a) = b
add-zero               a: I                            |- a + zero(I) = a
pullback               m: J x I, a: J, b: J; map m     |- m' (a o b) = m' a o m' b
projection             m: J x I, a: J, b: I; map m     |- m (m' a o b) = a o m b
map-columns            m: J x I; map m                 |- one(J)' m = one(I)'
pullback-ones          m: J x I; map m                |- m' one(J) = one(I)
injection              m: J x I; injection m           |- m' m = id(I)
scaled-label           s: I, c: scalar; c > 0          |- label(s c) = label(s)
norm                   a: I; a >= 0                    |- norm(a) = one(I)' a
positive               a: I x J; a > 0                 |- a >= 0
positive-ones          I: index                        |- one(I) > 0
positive-o             a: I x J, b: I x J; a > 0; b > 0 |- a o b > 0
positive-inverse       a: I; a > 0                     |- inv(a) > 0
positive-scale         a: I, c: scalar; a > 0; c > 0   |- a c > 0
positive-rows          m: J x I, u: I, v: I; m >= 0; m u > 0; v > 0 |- m v > 0
positive-equal         a: I x J, b: I x J; a = b; a > 0 |- b > 0
nonnegative-o          a: I x J, b: I x J; a >= 0; b >= 0 |- a o b >= 0
nonnegative-product    a: I x J, b: J x K; a >= 0; b >= 0 |- a b >= 0
nonnegative-transpose  a: I x J; a >= 0                |- a' >= 0
nonnegative-diagonal   a: I; a >= 0                    |- diag(a) >= 0
nonnegative-inverse    a: I; a >= 0                    |- inv(a) >= 0
nonnegative-add        a: I x J, b: I x J; a >= 0; b >= 0 |- a + b >= 0
nonnegative-equal      a: I x J, b: I x J; a = b; a >= 0 |- b >= 0
nonnegative-map        m: J x I; map m                 |- m >= 0
injection-map          m: J x I; injection m           |- map m
"""

INDEX_VARIABLES = ("I", "J", "K")


def read_schema(text: str, signature: Signature) -> Schema:
    """The schema that "variables; premises |- conclusion" writes. ValueError: it is not well typed."""
    before, _, conclusion = text.partition("|-")
    head, *premises = (piece.strip() for piece in before.split(";"))
    pairs = (piece.split(":") for piece in head.split(",") if piece.strip())
    variables = {name.strip(): read_type(kind.strip(), signature.indices) for name, kind in pairs}
    if not variables.keys().isdisjoint(signature.symbols):
        raise ValueError("a variable that means something else")
    schema = Schema(variables, tuple(map(read_judgment, premises)), read_judgment(conclusion.strip()))
    for judgment in (*schema.premises, schema.conclusion):
        check_types(judgment, signature.extended(variables))
    return schema


def read_rules(table: str) -> dict[str, Schema]:
    """The rules of a table, one a line: its name, two or more spaces, the schema."""
    anywhere = Signature(frozenset((*INDEX_VARIABLES, UNIT)), {})
    lines = (line.split(maxsplit=1) for line in table.strip().splitlines())
    return {name: read_schema(text, anywhere) for name, text in lines}


RULES = read_rules(TABLE)
