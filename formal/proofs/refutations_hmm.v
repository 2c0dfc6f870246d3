(** HMMs given by tables of rational numbers: what they say is computed in these numbers. *)

From Headproof Require Import definitions.prelude definitions.hmm proofs.paths proofs.linear proofs.message_passing
  proofs.refutations_numbers statements.refutations.
From Headproof Require Export definitions.tables.

Arguments of_Q : simpl never.

(** A label of two is the second iff its score is not less than the first's. *)
Lemma label_two_le (R : realFieldType) (s : 'I_2 -> R) : (label s == ord_max) = (s ord0 <= s ord_max).
Proof.
have dot1 (p : 'I_1 -> R) : dot p (fun=> 1) = p ord0 by rewrite /dot big_ord1 mulr1.
rewrite -subr_ge0 -[X in 0 <= X](dot1 (fun=> s ord_max - s ord0)) -label_binary -(label_shift (- s ord0)).
congr (_ == _); apply: label_ext => l; rewrite dot1 /binary.
case: eqP => [->|/eqP neq0]; first by rewrite subrr.
by congr (s _ - _); apply: val_inj; case: l neq0 => -[|[|l]].
Qed.

Section Table.

Variables (R : realFieldType) (n c : nat) (T : hmm_table n c) (T_valid : valid_hmm T).
Notation of_Q := (of_Q R).
Notation H := (ordinal_finType n).
Notation X := (ordinal_finType c).
Implicit Types (x : seq 'I_c) (q : 'I_n -> Q).

Notation m := (of_hmm_table R T_valid).

Definition next_t q h' : Q := Qsum (ords n) (fun h => trans_t T h' h * q h)%coqQ.
Fixpoint beta_t x h : Q :=
  if x is z :: x then Qsum (ords n) (fun h' => trans_t T h' h * (emit_t T z h' * beta_t x h'))%coqQ else 1%coqQ.

Lemma beta_tE x h : beta m (embed m x) h = of_Q (beta_t x h).
Proof.
elim: x h => [|z x IH] h; first by rewrite of_Q1.
by apply: sum_ords => h'; rewrite !of_QM -IH.
Qed.

(** P[H_0 = h, X = x], and P[H_1 = h, X_-1 = (E, x)_-1]. *)
Definition first_t x h : Q := (init_t T h * beta_t x h)%coqQ.
Definition masked_t x h : Q := (next_t (init_t T) h * beta_t x h)%coqQ.

Lemma joint0_t x h : joint m (embed m x) 0 h = of_Q (first_t x h). Proof. by rewrite joint0 beta_tE of_QM. Qed.

Lemma P_X_t x : P_X m x = of_Q (Qsum (ords n) (first_t x)).
Proof. by rewrite /P_X -(sum_joint _ _ 0); apply: sum_ords => h; exact: joint0_t. Qed.

Definition G_t x z : Q := (Qsum (ords n) (fun h => emit_t T z h * masked_t x h) / Qsum (ords n) (masked_t x))%coqQ.

Lemma G_tE E x z : G m (E :: x) 1 z = of_Q (G_t x z).
Proof.
have masked h : masked_joint m (E :: x) 1 h = of_Q (masked_t x h).
  rewrite (masked_jointE m [::] E x) /around beta_tE of_QM; congr (_ * _).
  by apply: sum_ords => g; rewrite of_QM.
rewrite (GE m [::] E x) of_Q_div; congr (_ / _); apply: sum_ords => h; last exact: masked.
by rewrite masked of_QM.
Qed.

Definition score_t (mu_t : 'I_n -> Q) x : Q := Qsum (ords n) (fun h => mu_t h * first_t x h)%coqQ.

Lemma F_star_t mu_t x : 0 < P_X m x ->
  (F_star m (binary (fun h => of_Q (mu_t h))) x == ord_max) = Qle_bool 0%coqQ (score_t mu_t x).
Proof.
move=> Px0; rewrite label_binary dot_div pmulr_lge0 ?invr_gt0 // -(of_Q_ge0 R); congr (0 <= _).
by apply: sum_ords => h; rewrite joint0_t of_QM.
Qed.

(** Where the output of a text with label 0 is a nonnegative combination of outputs of texts with label 1, no linear
    head serves (Motzkin's alternative). *)
Lemma no_linear_head mu_t (E : X) (r r' : Q) x y y' :
  all (fun x => ~~ Qle_bool (Qsum (ords n) (first_t x)) 0%coqQ) [:: x; y; y'] ->
  Qle_bool 0%coqQ r -> Qle_bool 0%coqQ r' ->
  all (fun z => Qeq_bool (G_t x z) (r * G_t y z + r' * G_t y' z)%coqQ) (ords c) ->
  [&& ~~ Qle_bool 0%coqQ (score_t mu_t x), Qle_bool 0%coqQ (score_t mu_t y) & Qle_bool 0%coqQ (score_t mu_t y')] ->
  ~ linear_head_serves m (binary (fun h => of_Q (mu_t h))).
Proof.
rewrite /= -!(of_Q_gt0 R) -!P_X_t -!(of_Q_ge0 R r) -!(of_Q_ge0 R r') => /and4P[Px Py Py' _] r0 r0' /all_ords eq_G.
rewrite -!F_star_t // => /and3P[lx ly ly'] [b serves].
move: lx ly ly'; rewrite !(serves E) // !label_two_le => /negP lx ly ly'; apply: lx.
have dotE l : dot (b l) (G m (E :: x) 1) = of_Q r * dot (b l) (G m (E :: y) 1) + of_Q r' * dot (b l) (G m (E :: y') 1).
  rewrite -!dot_scale /dot -big_split; apply: eq_bigr => z _ /=; rewrite -mulrDr !G_tE -!of_QM -of_QD; congr (_ * _).
  by apply/eqP; rewrite of_Q_eqE; exact: eq_G.
by rewrite !dotE ler_add // ler_wpmul2l.
Qed.

(** 3.1, from a left inverse of W; 3.2, from two powers of A. *)
Lemma independent_of_table (d : 'I_n -> 'I_c -> Q) :
  all (fun h => all (fun h' => Qeq_bool (Qsum (ords c) (fun z => d h z * emit_t T z h')%coqQ)
    (if h' == h then 1%coqQ else 0%coqQ)) (ords n)) (ords n) -> assumption_3_1 m.
Proof.
move=> /all_ords dual coef eq0 h _.
have dualE h' : dot (fun z => of_Q (d h z)) (column m h') = (h' == h)%:R.
  rewrite /dot (sum_ords (F := fun z => d h z * emit_t T z h')%coqQ) => [|z]; last by rewrite of_QM.
  by apply/eqP; rewrite of_Q_bool of_Q_eqE; exact: (all_ords (dual h)).
have : dot (fun z => of_Q (d h z)) (fun z => \sum_(h' in setT) coef h' * column m h' z) = 0.
  by apply: big1 => z _; rewrite eq0 mulr0.
rewrite dot_sum (bigD1 h) //= dualE eqxx mulr1 big1 ?addr0 // => h' /andP[_ /negbTE neq].
by rewrite dualE neq mulr0.
Qed.

Fixpoint power_t (k : nat) (h' h : 'I_n) : Q :=
  if k is j.+1 then Qsum (ords n) (fun g => trans_t T h' g * power_t j g h)%coqQ
  else if h' == h then 1%coqQ else 0%coqQ.

Lemma power_tE k h' h : trans_power m k h' h = of_Q (power_t k h' h).
Proof.
elim: k h' => [|k IH] h'; first exact: of_Q_bool.
by apply: sum_ords => g; rewrite of_QM -IH.
Qed.

Definition full_t (f : 'I_n -> Q) : bool := all (fun h => ~~ Qle_bool (f h) 0%coqQ) (ords n).

Lemma ergodic_of_hmm_table k :
  all (fun h => full_t (power_t k h)) (ords n) -> all (fun h => full_t (power_t k.+1 h)) (ords n) ->
  irreducible m /\ aperiodic m.
Proof.
move=> /all_ords pos /all_ords pos1.
have pow j h' h : full_t (power_t j h') -> 0 < trans_power m j h' h.
  by move=> /all_ords full; rewrite power_tE of_Q_gt0; exact: full.
split=> [h h'|h d dvd]; first by exists k; apply: pow; exact: pos.
have := dvd _ (pow _ h h (pos1 h)); rewrite -addn1 dvdn_addr ?(dvd _ (pow _ h h (pos h))) // dvdn1 => /eqP.
by [].
Qed.

Lemma full_support_of_table : full_t (init_t T) -> full_support m.
Proof. by move=> /all_ords full h; rewrite /= of_Q_gt0; exact: full. Qed.

End Table.
