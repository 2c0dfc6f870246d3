"""Behind the prompt of the proof of C.6: u = 1 where m_j* is in supp(mu). Under 4.4 it only restricts the memory.

P[Hbar_{i+1}, Xhat_-(i+1) = xhat_-(i+1)] = u o P[Hbar_i, X_-i = x_-i]: by stationarity the input, which stands one
position later behind the prompt, sees the same law; and the memory stays as it is.
"""

from verify.derivations.claim_c_8 import STATIONARY
from verify.derivations.judgments import equal
from verify.derivations.lemmas import Induction, Lemma, chain
from verify.derivations.theories import (
    A,
    alpha,
    begin,
    behind,
    beta,
    cell,
    chosen,
    e,
    p,
    p0,
    p1,
    prompt,
    snoc,
    start,
    tau,
    w,
    y,
    z,
)

u = cell.T @ chosen

PREDICTION = Lemma(
    "prompted-prediction",
    "the prompt restricts the memory",
    equal(alpha(behind(w)), u * alpha(w)),
    Induction(
        w,
        new=z,
        base=[
            chain(
                alpha(behind(begin)),
                ("behind-begin", alpha(snoc(begin, prompt))),
                ("alpha-snoc", A @ (e(prompt) * alpha(begin))),
                ("prompt", A @ (u * alpha(begin))),
                ("alpha-begin", A @ (u * p1)),
                ("cell-kept", u * (A @ p1)),
                ("stationary", u * (A @ p0)),
                ("p-0", u * (A @ p(start))),
                ("p-next", u * p1),
                ("alpha-begin", u * alpha(begin)),
            )
        ],
        step=[
            chain(
                alpha(behind(snoc(w, z))),
                ("behind-snoc", alpha(snoc(behind(w), z))),
                ("alpha-snoc", A @ (e(z) * alpha(behind(w)))),
                ("induction hypothesis", A @ (e(z) * (u * alpha(w)))),
                ("arrangement", A @ (u * (e(z) * alpha(w)))),
                ("cell-kept", u * (A @ (e(z) * alpha(w)))),
                ("alpha-snoc", u * alpha(snoc(w, z))),
            )
        ],
    ),
    for_all={w: "past"},
    uses=[STATIONARY],
)

MESSAGE = Lemma(
    "prompted-joint",
    "behind the prompt, the aggregated message is that of the input, with the memory restricted",
    equal(tau(behind(w), y), u * tau(w, y)),
    [
        chain(
            tau(behind(w), y),
            ("tau", alpha(behind(w)) * beta(y)),
            ("prompted-prediction", u * alpha(w) * beta(y)),
            ("arrangement", u * (alpha(w) * beta(y))),
            ("tau", u * tau(w, y)),
        )
    ],
    for_all={w: "past", y: "word"},
    uses=[PREDICTION],
)
