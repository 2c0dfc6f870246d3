(** Texts on results/softmax/model.json that begin with 1 or 2: all that was before is what it left of the memory. *)

From Headproof Require Import definitions.prelude proofs.softmax_setting proofs.softmax_families.

Implicit Types (x y w p s : text) (q : tableq) (k : 'I_2) (h : 'I_10).

Notation past_q := (past_t T s_l).
Notation ahead_q := (ahead_t T).
Notation reach_q := (reach_t T s_l).
Section Model.

Variable R : realFieldType.
Notation m := (of_table R T_valid).
Notation bar := (hbar m).
Notation embed := (embed bar).
Notation of_Q := (of_Q R).
Notation Hbar := (full 1 (ordinal_finType 2) (ordinal_finType 10)).
Notation state := (@state 2 10).
Notation st := (@start 2 10 s_l R).
Notation reach := (reach m st).
Implicit Types (f L : Hbar -> R) (g : Hbar) (t : 'I_14).

(** ** From the first token on, all that came before is what it left of the memory *)

Lemma only_l f k h : (h == s_y1) || (h == s_y2) -> next bar f (state k h) = f (state k s_l) * next bar st (state k h).
Proof. by case/orP => /eqP->; apply: next_only; vm_compute. Qed.

Definition opening t : 'I_10 := if t == t_1 then s_y1 else s_y2.

Lemma emit_opening t k h : (t == t_1) || (t == t_2) -> h != opening t -> emit bar t (state k h) = 0.
Proof.
have own : forall t', (t' == t_1) || (t' == t_2) ->
    every (fun k h => (h == opening t') || Qeq_bool (emit_table T t' k h) 0).
  by move=> t' /orP[] /eqP->; vm_compute.
move=> t12 /negbTE neq_h; have := everyP (own t t12) k h; rewrite neq_h /= -(of_Q_eqE R) => /eqP eq0.
by apply: etrans (emit_is T_valid R t k h) _; rewrite eq0 of_Q0.
Qed.

Lemma open_law f t k h : (t == t_1) || (t == t_2) -> next bar f (state k h) * emit bar t (state k h) =
    f (state k s_l) * (next bar st (state k h) * emit bar t (state k h)).
Proof.
move=> t12; have [->|neq_h] := eqVneq h (opening t); last by rewrite emit_opening // !mulr0.
by rewrite only_l -?mulrA // /opening; case: ifP.
Qed.

Lemma read_past f t x g : (t == t_1) || (t == t_2) ->
  alpha bar f (embed (t :: x)) g = f (state (g.1 ord0) s_l) * alpha bar st (embed (t :: x)) g.
Proof.
move=> t12; rewrite -[embed (t :: x)]/([:: e bar t] ++ embed x) !alpha_cat.
rewrite -(alpha_memory m (fun cells => f (state (cells ord0) s_l))); apply: alpha_ext => g'.
rewrite -[LHS]/(next bar f g' * emit bar t g') -[alpha _ _ _ _]/(next bar st g' * emit bar t g').
by rewrite (stateP g') open_law //; congr (f (state _ _) * _); rewrite [in RHS]ffunE.
Qed.

Lemma read_law f x y t w g : starts x -> x = y ++ t :: w ->
  next bar (alpha bar f (embed y)) g * beta bar (embed w) g = f (state (g.1 ord0) s_l) * reach y w g.
Proof.
case: y => [|t1 y] start_x eq_x; last first.
  have t12 : (t1 == t_1) || (t1 == t_2).
    by move: start_x; rewrite eq_x /=; case: (y ++ _) => // t2 _ /orP[] /andP[->]; rewrite ?orbT.
  rewrite mulrA; congr (_ * _); rewrite -(next_memory m (fun cells => f (state (cells ord0) s_l))).
  apply: next_ext => h.
  exact: read_past.
rewrite /softmax.reach /=; move: start_x; rewrite eq_x /=; case: w {eq_x} => // t' w start_x.
rewrite (stateP g) [X in f (state X _)]ffunE mulrA; move: (g.1 ord0) (g.2.2) => k h.
have [->|neq_h] := eqVneq h (opening t).
  by rewrite only_l // /opening; case: ifP.
suff -> : beta bar (embed (t' :: w)) (state k h) = 0 by rewrite !mulr0.
rewrite /= (sum_trans T_valid) big1 // => h' _.
have /all_ords/(_ h) : all (fun h => (h == opening t) ||
    every (fun k h' => Qeq_bool (trans_table T h' h * emit_table T t' k h')%coqQ 0)) (ords 10).
  by case/orP: start_x => /andP[/eqP-> /eqP->]; vm_compute.
rewrite (negbTE neq_h) => /everyP/(_ k h'); rewrite -(of_Q_eqE R) of_Q0 of_QM => /eqP eq0.
rewrite mulrA; apply: etrans (mul0r _); congr (_ * _); rewrite -[RHS]eq0; congr (_ * _).
exact: (emit_is T_valid R t' k h').
Qed.

(** ** The label of a text, and that it is in R *)

Definition mu_0 k : R := if k == first then 1 else - 2%:R.
Notation V := (binary mu_0).
Definition the_h : {set 'I_10} := [set s_h].
Notation Hs := (recoverable ord0 the_h).

Definition weight x k : R := \sum_h alpha bar st (embed x) (state k h).

Lemma starts_opening x : starts x -> exists t x', x = t :: x' /\ (t == t_1) || (t == t_2).
Proof. case: x => // t [//|t' x] /orP[] /andP[t12 _]; exists t, (t' :: x); by rewrite t12 ?orbT. Qed.

Lemma init_l k : init bar (state k s_l) = of_Q (1#13)%coqQ.
Proof.
apply: etrans (init_is R T_valid k s_l) _; apply/eqP; rewrite of_Q_eqE.
by apply: (all_ords (P := fun k => Qeq_bool (init_q T k s_l) (1#13)%coqQ)); vm_compute.
Qed.

Lemma init_l_gt0 : 0 < of_Q (1#13)%coqQ. Proof. by rewrite of_Q_gt0; vm_compute. Qed.

Lemma alpha_init x g : starts x -> alpha bar (init bar) (embed x) g = of_Q (1#13)%coqQ * alpha bar st (embed x) g.
Proof. by move=> /starts_opening[t [x' [-> t12]]]; rewrite read_past // init_l. Qed.

Lemma P_X_weight x : starts x -> P_X bar x = of_Q (1#13)%coqQ * \sum_k weight x k.
Proof.
move=> start_x; rewrite /P_X -(sum_joint _ _ (size (embed x))) mulr_sumr sum_full; apply: eq_bigr => k _.
rewrite mulr_sumr; apply: eq_bigr => h _.
by have := joint_cat bar (embed x) [::] (state k h); rewrite cats0 mulr1 alpha_init.
Qed.

Lemma label_weight x : starts x -> 0 < P_X bar x ->
  (memory_F_star m V ord0 x == ord_max) = (2%:R * weight x second <= weight x first).
Proof.
move=> start_x pos; rewrite label_binary.
rewrite (dot_posterior m mu_0 ord0 (i := size x)) // pmulr_lge0 ?invr_gt0 // sum_full.
rewrite (eq_bigr (fun k => of_Q (1#13)%coqQ * (mu_0 k * weight x k))) => [|k _]; last first.
  rewrite mulrCA mulr_sumr mulr_sumr; apply: eq_bigr => h _; rewrite [(state k h).1 _]ffunE; congr (_ * _).
  have := joint_cat bar (embed x) [::] (state k h); rewrite cats0 size_map mulr1 => ->; exact: alpha_init.
rewrite -mulr_sumr pmulr_rge0 ?init_l_gt0 // !big_ord_recl big_ord0 addr0.
have -> : ord0 = first :> 'I_2 by apply: val_inj.
have -> : lift first ord0 = second :> 'I_2 by apply: val_inj.
by rewrite /mu_0 /= mul1r mulNr subr_ge0.
Qed.

Lemma text_in_R x y t w : starts x -> x = y ++ t :: w -> 0 < P_X bar x ->
  (forall k h, h != s_h -> reach y w (state k h) = 0) -> in_R m Hs x.
Proof.
move=> start_x eq_x pos only; split=> //; exists (size y).+1; first by rewrite eq_x size_cat /= addnS ltnS leq_addr.
move=> h; apply: contraTT; rewrite !inE (ord1 h.1) eqxx /= => neq_h.
rewrite /masked_hidden big1 ?ltxx // => g /eqP eq_g; rewrite eq_x masked_jointE /around (read_law _ _ start_x eq_x).
by rewrite (stateP g) only ?mulr0 // eq_g.
Qed.

End Model.
