"""The lemmas of section 3 and of appendices A and B, in Rocq: docs/certificate-format.md, section 9."""

from __future__ import annotations

POSTERIORS = """\
forall i, (1 <= i)%N -> exists2 d : 'I_{n} -> R, (forall h, d h != 0%R) &
    forall x : seq 'I_{c}, is_input m x -> (0 < prob m (nseq i free ++ embed m x))%R /\\
    exists2 r : R, (0 < r)%R & forall h,
      posterior m (nseq i free ++ embed m x) i h = (r * (d h * posterior m (embed m x) 0 h))%R"""
LEMMAS = {
    "message-passing": (
        "message passing gives the laws that it stands for: tau_i(e(x)) = P[H_i, X_-i = x_-i], Gbar_i(e(x)) = G_i(x)",
        "forall (x : seq 'I_{c}) (i : nat), (1 <= i <= size x)%N ->\n"
        "    (forall h, tau m (embed m x) i h = masked_joint m x i h) /\\\n"
        "    (forall z, Gbar m (embed m x) i z = G m x i z)",
    ),
    "footnote-1": (
        "G_1 does not depend on the first token",
        "forall (E E' : 'I_{c}) (x : seq 'I_{c}) (z : 'I_{c}), G m (E :: x) 1 z = G m (E' :: x) 1 z",
    ),
    "B.1": (
        "behind every prompt message passing gives tau_i(u, e(y)) = P[H_i, Xhat_-i = (ztilde, y)_-i], and so Gbar_i",
        "forall (u : letter R (ordinal_finType {n})) (y : seq 'I_{c}) (i : nat),\n"
        "    is_prompt u -> (1 <= i <= (size y).+1)%N -> let xhat := prompted y in let ehat := u :: embed m y in\n"
        "    [/\\ forall h, tau m ehat i h = hat_masked_joint m u xhat i h,\n"
        "        (1 < i)%N -> forall z, Gbar m ehat i z = G_hat m u xhat i (Some z),\n"
        "        (1 < i)%N -> forall z, Gbar m ehat i z =\n"
        "          (\\sum_h emit m z h * (hat_masked_joint m u xhat i h / hat_masked_prob m u xhat i))%R &\n"
        "        hat_masked_prob m u xhat i = 0%R -> forall z, Gbar m ehat i z = 0%R]",
    ),
    "remark-3.1": (
        "there are at most as many states as tokens",
        "(#|ordinal_finType {n}| <= #|ordinal_finType {c}|)%N",
    ),
    "remark-3.5": ("assumption 3.5 holds", "assumption_3_5 m mu"),
    "3.4": (
        "one matrix L has L G_i(x) = P[H_i | X_-i = x_-i], for every word x and position i where that is defined",
        "exists L : 'I_{n} -> 'I_{c} -> R, forall (x : seq 'I_{c}) (i : nat),\n"
        "    (1 <= i <= size x)%N -> (0 < masked_prob m x i)%R ->\n"
        "    forall h, masked_posterior m x i h = (\\sum_z L h z * G m x i z)%R",
    ),
    "A.1": (
        "for every i an invertible diagonal D has P[H_i | X_(i+1:T+i) = x] = r_x D P[H_0 | X_(1:T) = x], r_x > 0, "
        "for every input x",
        POSTERIORS,
    ),
    "section-3.1": (
        "Gbar_i(u, e(x)) = P[Xhat_i | Xhat_-i = (ztilde, x)_-i], for every prompt u, word x and position i where that "
        "is defined",
        "forall (u : letter R (ordinal_finType {n})) (x : seq 'I_{c}) (i : nat),\n"
        "    is_prompt u -> (1 <= i <= (size x).+1)%N -> (0 < hat_masked_prob m u (prompted x) i)%R ->\n"
        "    forall z, Gbar m (u :: embed m x) i z = G_hat m u (prompted x) i (Some z)",
    ),
    "B.2": (
        "for every prompt u an invertible diagonal D has P[H_2 | Xhat_1 = ztilde, Xhat_(3:) = x] = "
        "r_x D (P[Xhat_1 = ztilde, H_2] o P[H_0 | X = x]), r_x > 0, where the condition is possible",
        "forall u : letter R (ordinal_finType {n}), is_prompt u ->\n"
        "    exists2 d : 'I_{n} -> R, (forall h, d h != 0%R) & forall (E : 'I_{c}) (x : seq 'I_{c}),\n"
        "    (0 < hat_masked_prob m u (prompted (E :: x)) 2)%R ->\n"
        "    (0 < P_X m x)%R /\\ exists2 r : R, (0 < r)%R & forall h,\n"
        "    (hat_masked_joint m u (prompted (E :: x)) 2 h / hat_masked_prob m u (prompted (E :: x)) 2 =\n"
        "      r * (d h * (joint m [:: u; free] 2 h * posterior m (embed m x) 0 h)))%R",
    ),
    "eq-3.3": (
        "for every prompt u with u'p1 > 0 an invertible diagonal D has Gbar_2(ehat(x)) = "
        "r_x W D (P[H_2 | Xhat_1 = ztilde] o P[H_0 | X = x]), r_x > 0, for every input x",
        "forall u : letter R (ordinal_finType {n}), is_prompt u -> (0 < dot u (P_H m 1))%R ->\n"
        "    exists2 d : 'I_{n} -> R, (forall h, d h != 0%R) & forall (E : 'I_{c}) (x : seq 'I_{c}), is_input m x ->\n"
        "    exists2 r : R, (0 < r)%R & forall z, (Gbar m (u :: embed m (E :: x)) 2 z =\n"
        "      r * \\sum_h emit m z h * (d h * (posterior m [:: u; free] 2 h * posterior m (embed m x) 0 h)))%R",
    ),
    "3.6:zero": (
        "for every B that meets 3.5, behind its prompt, all scores mu_l'P[H_0 | X = x] are equal on each input x on "
        "which Gbar_2 is 0",
        "forall B : {{set 'I_{n}}}, independent (covered m B) (column m) -> supp mu \\subset covered m B ->\n"
        "    forall (E : 'I_{c}) (x : seq 'I_{c}), (0 < P_X m x)%R ->\n"
        "    hat_masked_prob m (fun h => ((h \\in B)%:R)%R) (prompted (E :: x)) 2 = 0%R ->\n"
        "    forall l k, dot (mu l) (posterior m (embed m x) 0) = dot (mu k) (posterior m (embed m x) 0)",
    ),
}
"""For each lemma: the lemma as a sentence, and as a proposition of Rocq about the model m."""
