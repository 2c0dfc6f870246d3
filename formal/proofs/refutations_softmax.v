(** No softmax attention head serves results/softmax/model.json, whatever its scale.

    Texts p z^k s leave no value to z, others none to c, and others none to a, where g1 and g2 emit it. Two texts that
    differ in a and c alone have different labels, and one score. *)

From Headproof Require Import definitions.prelude proofs.softmax_setting statements.softmax proofs.softmax_families
  proofs.softmax_texts proofs.softmax_slopes proofs.softmax_numbers proofs.softmax_pairs
  proofs.softmax_same proofs.softmax_model proofs.rules_alike.

Implicit Types (x y : text) (q : tableq) (k : 'I_2) (h : 'I_10).
Opaque powers.

Opaque reach_t past_t ahead_t total worth row_q emit_table Qsum numbers.of_Q weight_q.

(** ** What a head's label is the sign of *)

Section Sum.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Variables (w : R -> R) (a : attention R N M S X 1).
Implicit Types (g : nat -> X -> R) (e : nat -> cell_state N M S -> R).

Definition term g e i : R :=
  w (attention_score a g i) * (attention_value a g e ord_max i - attention_value a g e ord0 i).

Lemma softmax_label t g e : (forall s, 0 < w s) -> (0 < t)%N ->
  (softmax_head w a t g e == ord_max) = (0 <= \sum_(i < t) term g e i.+1).
Proof.
case: t => // t w_gt0 _; rewrite /softmax_head label_two_le /softmax_attn.
have den0 : 0 < \sum_(i < t.+1) w (attention_score a g i.+1).
  rewrite big_ord_recl ltr_spaddl //; apply: sumr_ge0 => i _; exact: ltW.
rewrite ler_pmul2r ?invr_gt0 // -subr_ge0 -sumrB; congr (0 <= _); apply: eq_bigr => i _; by rewrite /term mulrBr.
Qed.

Lemma term_ext g g' e e' i : g i =1 g' i -> e i =1 e' i -> term g e i = term g' e' i.
Proof.
move=> eq_g eq_e; have eq_v l : dot (value_vector a l (e i)) (g i) = dot (value_vector a l (e' i)) (g' i).
  by apply: eq_dot eq_g => z; apply: eq_bigr => c _; rewrite eq_e.
by rewrite /term !key_scoreE !valueE (eq_dot (frefl (key_vector a)) eq_g) !eq_v.
Qed.

(** What a law concentrated on one column puts out. *)
Lemma output_column (p : full N M S -> R) (c : X -> R) : (forall s, p s != 0 -> forall z, memit m z (read s) = c z) ->
  \sum_s p s != 0 -> output m p =1 c.
Proof.
move=> all_c nz z; rewrite /output (eq_bigr (fun s => c z * p s)) => [|s _]; first by rewrite -mulr_sumr mulfK.
by have [->|ps] := eqVneq (p s) 0; [rewrite !mulr0 | rewrite all_c].
Qed.

Lemma sum_positions start r v i0 (F : nat -> R) (x0 : seq X) : (forall (y : seq X) t (z : seq X), x0 = y ++ t :: z ->
    F (size y) = v (i0 + size y)%N t (softmax.law m start r y z)) ->
  \sum_(i < size x0) F i = sum_score m start r v i0 [::] x0 [::].
Proof.
move=> eq_F; suff main (x y : seq X) : x0 = y ++ x ->
    \sum_(i < size x) F (size y + i)%N = sum_score m start r v (i0 + size y) y x [::].
  by have := main x0 [::] (erefl _); rewrite addn0.
elim: x y => [|t x IH] y eq_x; first by rewrite big_ord0.
rewrite big_ord_recl /= addn0 cats0 (eq_F y t x eq_x); congr (_ + _).
rewrite -addnS -(size_rcons y t) -IH ?cat_rcons //; apply: eq_bigr => i _.
by rewrite size_rcons /bump /= add1n addSnnS.
Qed.

End Sum.

(** ** The two heads *)

Section Heads.

Variable R : archiFieldType.
Notation m := (of_table R T_valid).
Notation bar := (hbar m).
Notation embed := (embed bar).
Notation of_Q := (of_Q R).
Notation A := (ordinal_finType 2).
Notation B := (ordinal_finType 10).
Notation X := (ordinal_finType 14).
Notation Hbar := (full 1 A B).
Notation state := (@state 2 10).
Notation st := (@start 2 10 s_l R).
Notation Hs := (recoverable ord0 the_h).
Notation V := (binary (mu_0 R)).
Implicit Types (g : Hbar) (t : 'I_14).

Variables (w : R -> R) (a : attention R 1 A B X 1).
Hypothesis w_gt0 : forall s, 0 < w s.
Hypothesis a_settles : settles a.

Lemma starts_size x : starts x -> (0 < size x)%N. Proof. by case: x. Qed.

Lemma term_val (e : nat -> cell_state 1 A B -> R) i t L (g : nat -> X -> R) (e' : X -> cell_state 1 A B -> R) :
  g i =1 output m L -> e i =1 e' t -> term w a g e i = val a w e' i t L.
Proof.
move=> eq_g eq_e; rewrite /term key_scoreE !valueE /val (eq_dot (frefl _) eq_g); congr (_ * _).
rewrite /dot -sumrB; apply: eq_bigr => z _; rewrite eq_g -mulrBl; congr (_ * _).
by rewrite /column_val /value_vector; congr (_ - _); apply: eq_bigr => c _; rewrite eq_e.
Qed.

Lemma no_head (emb : X -> letter R (cell_state 1 A B)) : exists2 x, in_R m Hs x &
  softmax_head w a (size x) (G bar x) (letter_at (map emb x)) != memory_F_star m V ord0 x.
Proof.
have [n settled] := a_settles; pose r k := init bar (state k s_l).
have r_ge0 k : 0 <= r k by exact: (proj1 (init_law bar)).
have [x [in_x [start_x neq]]] := head_fails emb w_gt0 settled r_ge0 1 0.
exists x; first exact: in_x.
apply: contra neq => /eqP <-; rewrite softmax_label ?starts_size // add0r.
rewrite (sum_positions (m := m) (start := st) (r := believed r) (v := val a w emb) (i0 := 1)
  (F := fun i => term w a (G bar x) (letter_at (map emb x)) i.+1)) // => y t z eq_x.
apply: term_val => [z'|c]; last first.
  by rewrite eq_x map_cat -(size_map emb y) letter_at_cat.
rewrite G_output; last by rewrite eq_x size_cat /= addnS ltnS leq_addr.
apply: output_ext => g; rewrite [in LHS]eq_x masked_jointE; exact: (read_law (init bar) g start_x eq_x).
Qed.

Lemma next_init g : next bar (init bar) g = init bar g.
Proof.
rewrite (stateP g) (next_is T_valid (init_is R T_valid)) (init_is R T_valid); apply/eqP; rewrite of_Q_eqE.
exact: (everyP still).
Qed.

(** Only l leads to the first token. *)
Lemma beta_starts x k h : starts x -> h != s_l -> beta bar (embed x) (state k h) = 0.
Proof.
move=> /starts_opening[t [x' [-> t12]]] neq_h.
rewrite /= (sum_trans T_valid) big1 // => h' _.
have [->|neq_o] := eqVneq h' (opening t); last first.
  have e0 := emit_opening R k t12 neq_o.
  by apply: etrans (mulr0 _); congr (_ * _); apply: etrans (mul0r _); congr (_ * _); exact: e0.
have := all_ords (from_l t12) h; rewrite (negbTE neq_h) orFb -(of_Q_eqE R) of_Q0 => /eqP eq0.
by apply: etrans (mul0r _); congr (_ * _); exact: eq0.
Qed.

Definition column_l : X -> R := fun z => memit m z (read (state first s_l)).

Lemma Gbar_first (u : letter R Hbar) x : (forall g, 0 <= u g) -> starts x -> 0 < P_X bar x ->
  memory_Gbar m (ehat m u x) 1 =1 column_l.
Proof.
move=> u0 start_x pos z; rewrite memory_Gbar_output => [|g]; last exact: tau_ge0.
apply: output_column => [g|]; last first.
  rewrite gt_eqF // (eq_bigr (fun g => init bar g * beta bar (embed x) g)) => [|g _]; last first.
    by rewrite tau_first /around /= next_init.
  by move: pos; rewrite /P_X -/(prob _ _) probE.
rewrite tau_first (stateP g) => nz z'; have eq_l : g.2.2 = s_l.
  apply/eqP; apply: contraNT nz => neq_l; by rewrite /around beta_starts ?mulr0.
rewrite eq_l /column_l; move: (g.1 ord0); apply: two_values => //.
have := emit_is T_valid R z' second s_l; have := emit_is T_valid R z' first s_l; rewrite /= /bar_emit => -> ->.
by apply/eqP; rewrite of_Q_eqE; exact: (all_ords l_alike).
Qed.

Lemma no_prompted_head (u : letter R Hbar) : (forall g, 0 <= u g) -> exists2 x, in_R m Hs x &
  softmax_head w a (size x).+1 (memory_Gbar m (ehat m u x)) (fun i => phi (letter_at (ehat m u x) i))
    != memory_F_star m V ord0 x.
Proof.
move=> u0; have [n settled] := a_settles; pose f g := next bar (init bar) g * u g; pose r k := f (state k s_l).
have r_ge0 k : 0 <= r k.
  by rewrite /r /f next_init; apply: mulr_ge0; [exact: (proj1 (init_law bar)) | exact: u0].
pose D := term w a (fun=> column_l) (fun=> phi u) 1.
have [x [in_x [start_x neq]]] := head_fails (memit m) w_gt0 settled r_ge0 2 D.
exists x; first exact: in_x.
pose g := memory_Gbar m (ehat m u x); pose e i := phi (letter_at (ehat m u x) i).
have first_term : term w a g e 1 = D.
  apply: term_ext => [|c]; last exact: erefl.
  by apply: Gbar_first; [exact: u0 | exact: start_x | case: in_x].
apply: contra neq => /eqP <-; rewrite softmax_label //.
have -> : \sum_(i < (size x).+1) term w a g e i.+1 = D + \sum_(i < size x) term w a g e i.+2.
  by rewrite big_ord_recl -first_term; congr (_ + _); apply: eq_bigr => i _.
rewrite (sum_positions (m := m) (start := st) (r := believed r) (v := val a w (memit m)) (i0 := 2)
  (F := fun i => term w a g e i.+2)) // => y t z eq_x.
apply: term_val => [z'|c]; last first.
  rewrite /e; have -> : ehat m u x = (u :: eta_embed m y) ++ eta (memit m t) :: eta_embed m z
    by rewrite eq_x /ehat /eta_embed map_cat.
  rewrite -(size_map (fun z => eta (memit m z)) y) -[(size _).+2]/(size (u :: eta_embed m y)).+1 letter_at_cat.
  exact: (phi_eta m (memit m t) c).
rewrite /g memory_Gbar_output => [|s]; last first.
  by apply: tau_ge0; [exact: u0 | rewrite eq_x size_cat /= addnS ltnS leq_addr].
apply: output_ext => s; rewrite [in LHS]eq_x tau_cut; exact: (read_law f s start_x eq_x).
Qed.

End Heads.

(** ** The assumptions *)

Section Assumptions.

Variable R : archiFieldType.
Notation m := (of_table R T_valid).
Notation V := (binary (mu_0 R)).

Lemma powersE n (h' h : 'I_10) : of_Q R (powers n h' h) = of_Q R (power_q T n h' h).
Proof.
elim: n h' h => [|n IH] h' h; rewrite [LHS]memoE; first by [].
rewrite -[LHS](sum_ords (f := fun h1 => of_Q R (trans_table T h' h1) * of_Q R (powers n h1 h))) => [|h1]; last first.
  by rewrite of_QM.
by apply: sum_ords => h1; rewrite of_QM IH.
Qed.

Lemma powers_all n : every (fun h' h => positive (powers n h' h)) -> powers_positive T n.
Proof.
move=> /everyP pos; apply/allP => h' _; apply/allP => h _.
by rewrite /positive -(of_Q_gt0 R) -powersE of_Q_gt0; exact: pos.
Qed.

Lemma meets_4_4 : assumption_4_4 m.
Proof.
case/andP: all_reached => pos7 pos8; split; last exact: (stationary_of_table R T_valid stands_still).
exact: (ergodic_of_table R T_valid (powers_all pos7) (powers_all pos8) starts_anywhere).
Qed.

Lemma separated_h (W : {set 'I_2}) : W =i predT -> assumption_4_5 m W (recoverable ord0 the_h).
Proof.
move=> all_W; apply: (separated_of_table R T_valid (V_q := predT) (S_q := pred1 s_h) all_W _ h_duals) => h.
by rewrite inE.
Qed.

Lemma supp_V : supp V =i predT.
Proof.
move=> k; rewrite supp_binary /mu_0; case: ifP => _; first by rewrite oner_eq0.
by rewrite oppr_eq0 pnatr_eq0.
Qed.

End Assumptions.

Theorem softmax_is_not_enough : refuted_softmax.
Proof.
move=> R; exists (ordinal_finType 2), (ordinal_finType 10), (ordinal_finType 14), (of_table R T_valid), (mu_0 R), the_h.
have c45 := separated_h R (supp_V R); split.
- exact: meets_4_4.
- by apply: separated_h => k; rewrite inE.
- by split; [exact: c45 | exact: assumption_C_5_one_cell].
- move=> w a emb w_gt0 a_settles; exact: (no_head w_gt0 a_settles emb).
move=> w a u w_gt0 a_settles u0; exact: (no_prompted_head w_gt0 a_settles u0).
Qed.
