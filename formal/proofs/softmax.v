(** What a softmax head reads in texts p c^k s, where one token is repeated: its score is affine in k. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory proofs.paths
  proofs.linear proofs.memory_laws.

Lemma rcons_nseq (T : Type) k (z : T) : rcons (nseq k z) z = nseq k.+1 z. Proof. by elim: k => //= k ->. Qed.

Section Readings.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Notation Hbar := (full N M S).
Notation bar := (hbar m).
Notation embed := (embed bar).
Notation output := (output m).
Implicit Types (x y w p s t : seq X) (g : Hbar) (mu f : memory N M -> R) (L : Hbar -> R) (z c : X) (i j k : nat).

Lemma beta_memory f v w w' : (forall g, beta bar (embed w') g = f g.1 * beta bar (embed w) g) ->
  forall g, beta bar (embed (v ++ w')) g = f g.1 * beta bar (embed (v ++ w)) g.
Proof.
move=> eq_w; elim: v => //= z v IH g; rewrite mulr_sumr; apply: eq_bigr => g' _.
rewrite IH /bar_trans; case: eqP => [->|_]; last by rewrite !mul0r mulr0.
by rewrite !mul1r [in RHS]mulrCA; congr (_ * _); rewrite mulrCA.
Qed.

Lemma output_scale (c : R) L : c != 0 -> output (fun g => c * L g) =1 output L.
Proof.
move=> c0 z; rewrite /statements.memory.output -mulr_sumr (eq_bigr (fun g => c * (memit m z (read g) * L g))) => [|g _].
  by rewrite -mulr_sumr -mulf_div divff ?mul1r.
by rewrite mulrCA.
Qed.

(** A text is read from a law r(M) start(M, H) of the state before it: r is what a head believes of the memory. *)
Variables (start : Hbar -> R) (r : memory N M -> R).

Definition reach y w g : R := next bar (alpha bar start (embed y)) g * beta bar (embed w) g.
Definition law y w g : R := r g.1 * reach y w g.

(** What position i adds to the score where z stands and the others leave a law. *)
Variables (val : nat -> X -> (Hbar -> R) -> R) (n : nat).
Hypothesis val_ext : forall i z L L', output L =1 output L' -> val i z L = val i z L'.
Hypothesis val_settles : forall i z L, (n <= i)%N -> val i z L = val n z L.

(** The sum over the positions of x, the first of which is i, with y before them and f after. *)
Fixpoint sum_score i y x t : R :=
  if x is z :: x' then val i z (law y (x' ++ t)) + sum_score i.+1 (rcons y z) x' t else 0.

Lemma sum_score_cat i y x x' t :
  sum_score i y (x ++ x') t = sum_score i y x (x' ++ t) + sum_score (i + size x) (y ++ x) x' t.
Proof.
elim: x i y => [|z x IH] i y /=; first by rewrite add0r addn0 cats0.
by rewrite IH addrA catA addSnnS cat_rcons.
Qed.

Section Repeated.

Variables (p s : seq X) (c : X) (mu : memory N M -> R) (rate : R).
Hypothesis rate_neq0 : rate != 0.
Hypothesis past : forall g,
  next bar (alpha bar start (embed p)) g * emit bar c g = mu g.1 * alpha bar start (embed p) g.
Hypothesis ahead : forall g, beta bar (embed (c :: s)) g = mu g.1 * beta bar (embed s) g.

(** The memories at which L is positive make one factor of mu. *)
Definition even L : Prop := forall g, mu g.1 * L g = rate * L g.
Hypothesis even_run : even (law p s).
Hypothesis even_before : forall y z w, p = y ++ z :: w -> even (law y (w ++ s)).
Hypothesis even_after : forall y z w, s = y ++ z :: w -> even (law (p ++ y) w).

Lemma ahead_run k g : beta bar (embed (nseq k c ++ s)) g = mu g.1 ^+ k * beta bar (embed s) g.
Proof.
elim: k g => [|k IH] g; first by rewrite mul1r.
have := beta_memory (f := fun a => mu a ^+ k) [:: c] IH g; rewrite [_ ++ s]/= => ->.
by rewrite [beta _ (embed ([:: c] ++ s)) g]ahead exprSr mulrA.
Qed.

Lemma past_run k g : alpha bar start (embed (p ++ nseq k c)) g = mu g.1 ^+ k * alpha bar start (embed p) g.
Proof.
rewrite embed_cat alpha_cat; elim: k g => [|k IH] g; first by rewrite mul1r.
rewrite /= (alpha_ext _ _ past) (alpha_memory m mu) IH mulrA; congr (_ * _).
by rewrite exprS.
Qed.

Lemma output_run L L' k : even L -> (forall g, L' g = mu g.1 ^+ k * L g) -> output L' =1 output L.
Proof.
move=> even_L eq_L; have rate_k : rate ^+ k != 0 by rewrite expf_neq0.
move=> z; rewrite -(output_scale L rate_k); apply: output_ext => g; rewrite eq_L.
by elim: k {eq_L rate_k} => [|k IH]; rewrite ?mul1r // !exprSr -!mulrA even_L !(mulrCA _ rate) IH.
Qed.

Lemma law_before k y w g : law y (w ++ nseq k c ++ s) g = mu g.1 ^+ k * law y (w ++ s) g.
Proof.
have := beta_memory (f := fun a => mu a ^+ k) w (ahead_run k) g; rewrite /law /reach => ->.
by rewrite !(mulrCA _ (mu _ ^+ k)).
Qed.

Lemma next_run k y g : next bar (alpha bar start (embed (p ++ nseq k c ++ y))) g =
  mu g.1 ^+ k * next bar (alpha bar start (embed (p ++ y))) g.
Proof.
rewrite -(next_memory m (fun a => mu a ^+ k)); apply: next_ext => h.
rewrite catA embed_cat alpha_cat [in RHS]embed_cat [in RHS]alpha_cat -(alpha_memory m (fun a => mu a ^+ k)).
by apply: alpha_ext => h'; exact: past_run.
Qed.

Lemma law_after k y w g : law (p ++ nseq k c ++ y) w g = mu g.1 ^+ k * law (p ++ y) w g.
Proof. by rewrite /law /reach next_run -!mulrA mulrCA. Qed.

Lemma law_run j k g : law (p ++ nseq j c) (nseq k c ++ s) g = mu g.1 ^+ (j + k) * law p s g.
Proof.
have := law_after j [::] (nseq k c ++ s) g; rewrite !cats0 => ->.
by rewrite (law_before k p [::]) exprD mulrA.
Qed.

(** What a position in the run adds. *)
Definition step i : R := val i c (law p s).

Lemma score_before k i y x : p = y ++ x -> sum_score i y x (nseq k c ++ s) = sum_score i y x s.
Proof.
elim: x i y => //= z x IH i y eq_p; rewrite IH ?cat_rcons //; congr (_ + _); apply: val_ext.
apply: (output_run (k := k)); [exact: (even_before eq_p) | exact: law_before].
Qed.

Lemma score_run i j k : sum_score i (p ++ nseq j c) (nseq k c) s = \sum_(l < k) step (i + l).
Proof.
elim: k i j => [|k IH] i j /=; first by rewrite big_ord0.
rewrite big_ord_recl addn0 rcons_cat rcons_nseq IH; congr (_ + _).
  by apply: val_ext; apply: (output_run (k := (j + k)%N)); [exact: even_run | exact: law_run].
by apply: eq_bigr => l _; rewrite addSnnS.
Qed.

Lemma score_settled i y x t : (n <= i)%N -> sum_score i y x t = sum_score n y x t.
Proof.
elim: x i y => //= z x IH i y le_i.
by rewrite val_settles // (IH i.+1) ?(leqW le_i) // (IH n.+1).
Qed.

Lemma score_after k i y x : s = y ++ x -> (n <= i)%N ->
  sum_score i (p ++ nseq k c ++ y) x [::] = sum_score n (p ++ y) x [::].
Proof.
elim: x i y => [//|z x IH] i y eq_s le_i; rewrite [LHS]/= [RHS]/= cats0 !rcons_cat val_settles //.
rewrite IH ?cat_rcons ?(leqW le_i) // (score_settled (i := n.+1)) //; congr (_ + _); apply: val_ext.
by apply: (output_run (k := k)); [exact: (even_after eq_s) | exact: law_after].
Qed.

Lemma score_affine i : exists D, forall k, (n <= k)%N -> sum_score i [::] (p ++ nseq k c ++ s) [::] = D + k%:R * step n.
Proof.
pose j := (i + size p)%N; pose rest k := \sum_(l < k) (step (j + l) - step n).
exists (sum_score i [::] p s + rest n + sum_score n p s [::]) => k le_k.
have -> : rest n = rest k.
  rewrite /rest -(subnKC le_k) big_split_ord /= [X in _ + X]big1 ?addr0 // => l _.
  by rewrite /step val_settles ?subrr // addnCA leq_addr.
rewrite !sum_score_cat cats0 score_before //= -/j; have := score_run j 0 k; rewrite /= !cats0 => ->.
have := score_after k (y := [::]) (x := s) (i := (j + size (nseq k c))%N); rewrite !cats0 => -> //; last first.
  by rewrite size_nseq (leq_trans le_k) ?leq_addl.
rewrite [RHS]addrAC -!addrA; congr (_ + _); rewrite addrA; congr (_ + _).
by rewrite /rest sumrB sumr_const card_ord mulr_natl subrK.
Qed.

End Repeated.

End Readings.
