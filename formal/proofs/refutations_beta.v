(** The proof's beta_1 = (0, -2) is not enough, on models/loud-outsider.json: behind the prompt (loud the loud) has the
    score 1317/542 at position 1, and at most 1 elsewhere. All of Theta1 and Theta2 that is used is determined, since
    the columns of the values left and right span all vectors. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory proofs.paths proofs.linear
  proofs.message_passing proofs.refutations_numbers proofs.refutations_hmm proofs.refutations_one_cell proofs.models
  statements.refutations proofs.refutations_c9.

Arguments of_Q : simpl never.

Section LoudOutsider.

Import loud_outsider.
Variable R : realFieldType.
Notation m := (m R).
Notation of_Q := (of_Q R).
Notation cell_state := (cell_state 1 (ordinal_finType 3) (ordinal_finType 3)).
Notation head := (attention R 1 (ordinal_finType 3) (ordinal_finType 3) (ordinal_finType 4) 1).
Implicit Types (a : head) (k : 'I_3) (s : 'I_3) (z : 'I_4).

Definition mu_q : 'I_3 -> Q := entry [:: 2; -1; 0]%coqQ.
Definition mu k : R := of_Q (mu_q k).
Notation V := (binary mu).
Definition S' : {set 'I_3} := [set keyword].
Notation u := (proof_prompt V ord0 : letter R (full 1 (ordinal_finType 3) (ordinal_finType 3))).
Definition inside k : bool := k != outsider.

Lemma supp_mu k : (k \in supp V) = inside k.
Proof.
rewrite supp_binary /mu -(of_Q0 R) of_Q_eqE /inside; apply/eqP.
by apply: (all_ords (P := fun k => ~~ Qeq_bool (mu_q k) 0 == (k != outsider))); vm_compute.
Qed.

Lemma in_Hstar (h : hidden 1 (ordinal_finType 3)) : (h \in recoverable ord0 S') = (h.2 == keyword).
Proof. by rewrite !inE (ord1 h.1) eqxx. Qed.

Definition kw : hidden 1 (ordinal_finType 3) := (ord0, keyword).
Lemma h_star : kw \in recoverable ord0 S'. Proof. by rewrite in_Hstar. Qed.

(** The dual vectors: Theta1's row of keyword, and Theta2's of (left, keyword) and (right, keyword). *)
Definition key_q : 'I_4 -> Q := entry [:: 0; 9; -1; 1]%coqQ.
Definition value_q k : 'I_4 -> Q := entry2 [:: [:: 0; 4; -1; 2]; [:: 0; 5; 0; -1]; [::]]%coqQ k.

Lemma loud_outsider_4_4 : assumption_4_4 m.
Proof. by split; [apply: (ergodic_of_table R T_valid (n := 5)) | apply: stationary_of_table]; vm_compute. Qed.

Lemma loud_outsider_4_5 : assumption_4_5 m (supp V) (recoverable ord0 S').
Proof.
apply: (separated_of_table R T_valid (V_q := inside) (S_q := pred1 keyword) (d := fun k _ => value_q k)) => [k|s|].
- exact: supp_mu.
- by rewrite inE.
by vm_compute.
Qed.

Lemma in_ground_inside (c : cell_state) : in_ground V ord0 c = inside c.1.
Proof. by rewrite /in_ground (ord1 c.2.1) eqxx supp_mu. Qed.

(** ** Such a head exists *)

Definition proof_head : head := {|
  query := fun h => if h is Some h then (h \in recoverable ord0 S')%:R else 1;
  key := fun h z => if h is Some _ then of_Q (key_q z) else 0;
  position := fun i h => if (i == 1)%N && (h == None) then -2%:R else 0;
  value := fun c z => if c.2 \in recoverable ord0 S' then of_Q (value_q c.1 z) else 0;
  rows := fun l c => if c.2.1 == ord0 then V l c.1 else 0 |}.

Lemma key_dual k s : inside k -> of_Q (dot_q T key_q k s) = (s == keyword)%:R.
Proof.
move=> k_in; apply/eqP; rewrite of_Q_bool of_Q_eqE.
have /all_ords/(_ k)/implyP/(_ k_in)/all_ords/(_ s) : all (fun k => inside k ==> all (fun s =>
  Qeq_bool (dot_q T key_q k s) (if s == keyword then 1%coqQ else 0%coqQ)) (ords 3)) (ords 3) by vm_compute.
by [].
Qed.

Lemma value_dual k s k' : inside k -> inside k' -> of_Q (dot_q T (value_q k) k' s) = ((k' == k) && (s == keyword))%:R.
Proof.
move=> k_in k_in'; have dual : duals T inside (pred1 keyword) (fun k _ => value_q k) by vm_compute.
exact: (dualsP R dual s k_in (eqxx keyword) k_in').
Qed.

Lemma dot_of_Q (d : 'I_4 -> Q) (c : cell_state) :
  dot (fun z => of_Q (d z)) (memory_column m c) = of_Q (dot_q T d c.1 c.2.2).
Proof. exact: dot_column. Qed.

Lemma proof_head_is : is_proof_head m V ord0 S' proof_head.
Proof.
split=> //=; last by move=> k h /negbTE->.
- move=> h; rewrite in_Hstar => /eqP eq_h [k g]; rewrite in_ground_inside dot_of_Q => k_in.
  by rewrite key_dual //= -eq_h -[g in RHS]hiddenP -[h in RHS]hiddenP xpair_eqE eqxx.
move=> k h k_in h_star [k' g]; rewrite in_ground_inside h_star dot_of_Q => k_in'.
rewrite supp_mu in k_in; rewrite value_dual //= xpair_eqE; congr (_ && _)%:R.
move: h_star; rewrite in_Hstar => /eqP <-.
by rewrite -[g in RHS]hiddenP -[h in RHS]hiddenP xpair_eqE eqxx.
Qed.

(** ** All such heads are as one *)

(** The columns (left, article), (left, filler), (left, keyword), (right, keyword), and their dual vectors. *)
Definition basis (i : 'I_4) : cell_state := nth (left, (ord0, article))
  [:: (left, (ord0, article)); (left, (ord0, filler)); (left, (ord0, keyword)); (right, (ord0, keyword))] i.
Definition basis_dual (i z : 'I_4) : Q :=
  entry2 [:: [:: 1; 0; 0; 0]; [:: 0; -8; 2; 0]; [:: 0; 4; -1; 2]; [:: 0; 5; 0; -1]]%coqQ i z.

Lemma basisP z z' : \sum_i of_Q (basis_dual i z) * memory_column m (basis i) z' = (z' == z)%:R.
Proof.
rewrite (sum_ords (F := fun i => basis_dual i z * emit_table T z' (basis i).1 (basis i).2.2)%coqQ) => [|i].
  apply/eqP; rewrite of_Q_bool of_Q_eqE.
  have /all_ords/(_ z)/all_ords/(_ z') : all (fun z => all (fun z' => Qeq_bool
    (Qsum (ords 4) (fun i => basis_dual i z * emit_table T z' (basis i).1 (basis i).2.2)%coqQ)
    (if z' == z then 1%coqQ else 0%coqQ)) (ords 4)) (ords 4) by vm_compute.
  by [].
by rewrite of_QM.
Qed.

Lemma expand (theta : 'I_4 -> R) z : theta z = \sum_i of_Q (basis_dual i z) * dot theta (memory_column m (basis i)).
Proof.
rewrite -dot_sum -[LHS](dot_delta z) dotC; apply: eq_dot => // z'.
by rewrite -basisP.
Qed.

Lemma determined (theta theta' : 'I_4 -> R) :
  (forall i, dot theta (memory_column m (basis i)) = dot theta' (memory_column m (basis i))) -> theta =1 theta'.
Proof. by move=> same z; rewrite expand [RHS]expand; apply: eq_bigr => i _; rewrite same. Qed.

Lemma basis_inside i : inside (basis i).1.
Proof. by apply: (all_ords (P := fun i => inside (basis i).1)); vm_compute. Qed.

Section AnyHead.

Variables (a : head) (a_is : is_proof_head m V ord0 S' a).

Lemma key_determined : key a (Some kw) =1 fun z => of_Q (key_q z).
Proof.
apply: determined => i; have ground : in_ground V ord0 (basis i) by rewrite in_ground_inside basis_inside.
by rewrite (proof_key a_is h_star) ?(proof_key proof_head_is h_star).
Qed.

Lemma value_determined k : inside k -> value a (k, kw) =1 fun z => of_Q (value_q k z).
Proof.
move=> k_in; have k_supp : k \in supp V by rewrite supp_mu.
move=> z; have := determined (theta' := value proof_head (k, kw)); rewrite /= h_star; apply=> i.
have ground : in_ground V ord0 (basis i) by rewrite in_ground_inside basis_inside.
have := proof_value proof_head_is k_supp h_star ground; rewrite /= h_star => ->.
by rewrite (proof_value a_is k_supp h_star ground).
Qed.

Definition score_q (i : nat) (g : 'I_4 -> Q) : Q :=
  (Qsum (ords 4) (fun z => key_q z * g z) + (if i == 1%N then -2 # 1 else 0))%coqQ.

Lemma score_determined g i (g_q : 'I_4 -> Q) : (forall z, g i z = of_Q (g_q z)) ->
  attention_score a g i = of_Q (score_q i g_q).
Proof.
move=> gq; rewrite /attention_score /dot sum_option !(proof_query a_is) mul1r.
rewrite big1 => [|z _]; last by rewrite (proof_key_last a_is) mul0r.
rewrite (sum_hidden (b := 3)) (bigD1 keyword) //= [X in _ + (_ + X)]big1 ?addr0 => [|s /negbTE neq_s]; last first.
  by rewrite (proof_query a_is) in_Hstar /= neq_s mul0r.
rewrite !(proof_query a_is) !(proof_position a_is) h_star mul1r andbF addr0 andbT add0r addrC of_QD; congr (_ + _).
  by apply: sum_ords => z; rewrite key_determined gq of_QM.
case: (i == 1%N); last by rewrite of_Q0.
by rewrite -[(-2 # 1)%coqQ]/(- (1 + 1))%coqQ of_QN of_QD of_Q1.
Qed.

(** The text (loud the loud) behind the prompt. *)
Definition x : seq 'I_4 := [:: loud; the; loud].
Definition u_q : table 3 3 := fun k _ => if inside k then 1%coqQ else 0%coqQ.
Lemma u_is : is_table u u_q. Proof. by move=> k s; rewrite /proof_prompt supp_mu ffunE /u_q -of_Q_bool. Qed.

Notation letters := (letters_q T).
Definition g_q (i : nat) : 'I_4 -> Q := output_q T (nth (fun _ _ => 0%coqQ)
  [:: around_q T [::] (letters x); around_q T [:: u_q] (letters [:: the; loud]);
      around_q T (u_q :: letters [:: loud]) (letters [:: loud]); around_q T (u_q :: letters [:: loud; the]) [::]] i).
Notation g := (memory_Gbar m (ehat m u x)).

Lemma g_is (i : 'I_4) z : g i.+1 z = of_Q (g_q i z).
Proof.
case: i => -[|[|[|[|//]]]] /= _; first exact: Gbar_first_q.
- exact: (Gbar_behind_q T_valid [::] loud [:: the; loud] z u_is).
- exact: (Gbar_behind_q T_valid [:: loud] the [:: loud] z u_is).
exact: (Gbar_behind_q T_valid [:: loud; the] loud [::] z u_is).
Qed.

Lemma score_x (i : 'I_4) : attention_score a g i.+1 = of_Q (score_q i.+1 (g_q i)).
Proof. by apply: score_determined => z; exact: g_is. Qed.

(** The score at position 1 is the largest, *)
Lemma attended_first : attended a 4 g = [set ord0].
Proof.
have /all_ords largest :
    all (fun i : 'I_4 => (i == ord0) || ~~ Qle_bool (score_q 1 (g_q 0)) (score_q i.+1 (g_q i))) (ords 4).
  by vm_compute.
apply/setP => i; rewrite in_set1; apply/attendedP/idP => [max_i|/eqP-> k]; last first.
  rewrite !score_x; have /orP[/eqP->|] := largest k; first exact: lexx.
  by rewrite -(of_Q_lt R) => /ltW.
have /orP[//|] := largest i; rewrite -(of_Q_le R) -score_x -(score_x ord0); by rewrite (max_i ord0).
Qed.

(** and more than -1. *)
Lemma first_score : -1 < attention_score a g 1.
Proof. by rewrite (score_x ord0) -(of_Q1 R) -of_QN of_Q_lt; vm_compute. Qed.

(** The values there give the label 1. *)
Definition attn_table : table 3 3 := fun k s =>
  (if s == keyword then mu_q k * (Qsum (ords 4) (fun z => value_q k z * g_q 0 z) * u_q k s) else 0)%coqQ.
Definition attn_q : Q := total attn_table.

Notation emb := (fun i => phi (letter_at (ehat m u x) i)).
Lemma attn_x l : attn a 4 g emb l = if l == ord0 then 0 else of_Q attn_q.
Proof.
rewrite /attn attended_first big_set1 cards1 divr1 /attention_value /dot; case: ifP => [l0|/negbT l1].
  by apply: big1 => c _; rewrite (proof_rows a_is) /binary l0; case: ifP; rewrite mul0r.
apply: (@sum_cell_state _ _ _ _ attn_table) => k s.
rewrite (proof_rows a_is) eqxx /binary (negbTE l1) -[letter_at _ _]/u (phi_is u_is) -[mu _]/(of_Q (mu_q k)) /attn_table.
case: (eqVneq s keyword) => [->|neq_s]; last first.
  rewrite big1 ?mul0r ?mulr0 ?of_Q0 // => z _; rewrite (proof_value_others a_is) ?mul0r //.
  by rewrite in_Hstar.
case: (boolP (inside k)) => [k_in|]; last first.
  by rewrite negbK => /eqP->; rewrite of_QM -[mu_q _]/0%coqQ of_Q0 !mul0r.
rewrite !of_QM; congr (_ * (_ * _)); apply: sum_ords => z.
by rewrite (value_determined k_in) (g_is ord0) of_QM.
Qed.

Lemma head_label : (label_behind m u a x == ord_max) = true.
Proof. by rewrite label_two_le !attn_x of_Q_ge0; vm_compute. Qed.

End AnyHead.

(** The label is 0: left is less than half as probable as right. *)
Lemma true_label : (memory_F_star m V ord0 x == ord_max) = false.
Proof.
rewrite label_binary -[dot _ _]/(\sum_k _).
rewrite (sum_ords (F := fun k => mu_q k * memory_q T x k)%coqQ) => [|k]; first by rewrite of_Q_ge0; vm_compute.
by rewrite memory_posterior_q of_QM.
Qed.

Lemma x_in_R : in_R m (recoverable ord0 S') x.
Proof.
split; first by rewrite P_X_q of_Q_gt0; vm_compute.
exists 3%N => // h; rewrite (masked_hidden_q R T_valid [:: loud; the] loud [::]) of_Q_gt0 in_Hstar.
apply/implyP; move: h.2; apply: all_ords; by vm_compute.
Qed.

End LoudOutsider.

Theorem beta_1_is_not_enough : refuted_beta_1.
Proof.
move=> R; exists _, _, _, (loud_outsider.m R), (mu R), S'; split.
- by split; [exact: loud_outsider_4_4 | exact: loud_outsider_4_5].
- by exists (proof_head R); exact: proof_head_is.
by move=> a a_is; exists x; [exact: x_in_R | exact: first_score].
Qed.

Theorem head_of_4_6_as_written_fails : refuted_4_6_as_written.
Proof.
move=> R; exists _, _, _, (loud_outsider.m R), (mu R), S'; split.
- by split; [exact: loud_outsider_4_4 | exact: loud_outsider_4_5].
- by exists (proof_head R); exact: proof_head_is.
move=> a a_is; exists x; first exact: x_in_R.
by apply: contraFneq (true_label R) => <-; rewrite head_label.
Qed.
