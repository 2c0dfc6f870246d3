(** Rules of the certificate format: inputs near the border of F*, to two labels (section 6). *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules statements.near_border proofs.paths
  proofs.linear proofs.entered proofs.theorems_3 proofs.rules_agreement proofs.rules_refutation.

(** ** Bounds, as numbers *)

Section Numbers.

Variables (R : realFieldType) (H : finType) (z : H -> R) (first : H) (signed : {set H}) (q : R).

(** What a bound says of z where q is a quarter of the largest |z_h|. *)
Definition bound_on (h : H) (w : R) (within : R -> bool) : Prop := exists2 a, within a & 0 < a * z first + w * z h + q.

Hypothesis at_first : bound_on first 0 (fun a => 1 <= a).
Hypothesis above : forall h, h != first -> bound_on h (-1) (fun a => 0 <= a <= 1).
Hypothesis below_signed : forall h, h != first -> h \in signed -> bound_on h 4%:R (fun a => -2%:R <= a <= -1).
Hypothesis below : forall h, h != first -> h \notin signed -> bound_on h 1 (fun a => 0 <= a <= 1).
Hypothesis largest : forall h, `|z h| <= 4%:R * q.
Hypothesis attained : exists h, `|z h| = 4%:R * q.

Lemma q_gt0 : 0 < q.
Proof.
have q_ge0 : 0 <= q by have := le_trans (normr_ge0 _) (largest first); rewrite pmulr_rge0 // ltr0n.
rewrite lt0r q_ge0 andbT; apply/eqP => q0; have [a _] := at_first.
have -> : z first = 0 by apply/eqP; rewrite -normr_le0; have := largest first; rewrite q0 mulr0.
by rewrite q0 !mulr0 !add0r ltxx.
Qed.

(** Where 4 x < 3 q, or less, x < q. *)
Lemma quarter x : 4%:R * x < 3%:R * q -> x < q.
Proof.
move=> lt_x; rewrite -(ltr_pmul2l (x := 4%:R)) ?ltr0n //; apply: lt_le_trans lt_x _.
by rewrite ler_pmul2r ?q_gt0 // ler_nat.
Qed.

(** If z_first < 0, all z_h are below q, one of them 4 q. *)
Lemma first_ge0 : 0 <= z first.
Proof.
rewrite leNgt; apply/negP => first_lt0; have q0 := q_gt0.
have first_q : - z first < q.
  have [a a1] := at_first; rewrite mul0r addr0 -ltr_subl_addl sub0r; apply: le_lt_trans.
  by rewrite ler_opp2 -[X in _ <= X]mul1r ler_nmul2r.
have drop a : 0 <= a -> a * z first + q <= q.
  by move=> a0; rewrite ger_addr; exact: mulr_ge0_le0 a0 (ltW first_lt0).
have small h : `|z h| < q.
  have [->|h_first] := eqVneq h first; first by rewrite ltr0_norm.
  rewrite ltr_norml ltr_oppl; apply/andP; split; last first.
    by have [a /andP[/drop a0 _]] := above h_first; rewrite mulN1r addrAC subr_gt0 => /lt_le_trans; exact.
  have [h_signed|h_not] := boolP (h \in signed); last first.
    have [a /andP[/drop a0 _]] := below h_first h_not.
    by rewrite mul1r addrAC -ltr_subl_addl sub0r ltr_oppl => /lt_le_trans; exact.
  have [a /andP[a_lo a_hi]] := below_signed h_first h_signed.
  rewrite addrAC -ltr_subl_addl sub0r ltr_oppl -mulrN => lt_a; apply/quarter/(lt_le_trans lt_a).
  rewrite [X in _ <= X * q](natrD _ 2 1) mulrDl mul1r ler_add2r -mulrNN.
  by apply: ler_pmul; rewrite ?(ltW first_q) // ?oppr_ge0 ?(ltW first_lt0) // 1?ler_oppl ?(le_trans a_hi) ?lerN10.
have [h eq_h] := attained; have := small h; rewrite eq_h => lt_q.
have : q < q by apply: le_lt_trans lt_q; rewrite -[X in X <= _]mul1r ler_pmul2r // ler1n.
by rewrite ltxx.
Qed.

(** So it is at least 3/4 of the largest, *)
Lemma first_large : 3%:R * q < z first.
Proof.
have q0 := q_gt0; have first0 := first_ge0.
have add a : a <= 1 -> a * z first + q <= z first + q.
  by move=> a1; rewrite ler_add2r -[X in _ <= X]mul1r ler_wpmul2r.
have small h : `|z h| < z first + q.
  have [->|h_first] := eqVneq h first; first by rewrite ger0_norm // ltr_addl.
  rewrite ltr_norml ltr_oppl; apply/andP; split; last first.
    by have [a /andP[_ /add a1]] := above h_first; rewrite mulN1r addrAC subr_gt0 => /lt_le_trans; exact.
  have [h_signed|h_not] := boolP (h \in signed); last first.
    have [a /andP[_ /add a1]] := below h_first h_not.
    by rewrite mul1r addrAC -ltr_subl_addl sub0r ltr_oppl => /lt_le_trans; exact.
  have [a /andP[_ a_hi]] := below_signed h_first h_signed.
  rewrite addrAC -ltr_subl_addl sub0r ltr_oppl -mulrN => lt_a; apply/(ltr_paddl first0)/quarter/(lt_le_trans lt_a).
  rewrite [X in _ <= X * q](natrD _ 2 1) mulrDl mul1r ler_add2r; apply: le_trans (_ : 0 <= _).
    by apply: mulr_le0_ge0 first0; rewrite (le_trans a_hi) // lerN10.
  by rewrite mulr_ge0 ?ler0n // ltW.
by have [h eq_h] := attained; have := small h; rewrite eq_h [X in X * q](natrD _ 3 1) mulrDl mul1r ltr_add2r.
Qed.

(** and each signed z_j at least an eighth. *)
Lemma signed_large j : j \in signed -> 4%:R * q < 8%:R * z j.
Proof.
move=> j_signed; have q0 := q_gt0; suff half : 2%:R * q < 4%:R * z j.
  by rewrite [X in X * q](natrM _ 2 2) [X in X * z j](natrM _ 2 4) -!mulrA ltr_pmul2l ?ltr0n.
have two_q : 2%:R * q < z first - q.
  by rewrite ltr_subr_addr; apply: le_lt_trans first_large; rewrite [X in _ <= X * q](natrD _ 2 1) mulrDl mul1r.
have [->|j_first] := eqVneq j first.
  apply: lt_le_trans two_q _; rewrite ler_subl_addr ler_paddr ?(ltW q0) // -[X in X <= _]mul1r.
  by rewrite ler_wpmul2r ?first_ge0 // ler1n.
have [a /andP[_ a_hi]] := below_signed j_first j_signed.
rewrite addrAC -ltr_subl_addl sub0r; apply: le_lt_trans; apply: le_trans (ltW two_q) _.
by rewrite opprD ler_add2r -mulNr -[X in X <= _]mul1r ler_wpmul2r ?first_ge0 // ler_oppr.
Qed.

(** Each z_h is at most 8 z_j, j signed. *)
Lemma signed_most h j : j \in signed -> `|z h| <= 8%:R * z j. Proof. by move=> /signed_large/ltW; apply: le_trans. Qed.

Lemma signed_gt0 j : j \in signed -> 0 < z j.
Proof.
move=> /signed_large; rewrite -(pmulr_rgt0 (z j) (x := 8%:R)) ?ltr0n //; apply: lt_trans.
by rewrite mulr_gt0 ?ltr0n // q_gt0.
Qed.

End Numbers.

(** ** Prompts and heads that give the inputs their labels *)

Section Served.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (mu : 'I_2 -> H -> R).
Variables (inputs : seq (seq X)) (first : H) (signed : {set H}) (sizes : H -> R).
Variables (u : letter R H) (b : 'I_2 -> X -> R).
Hypothesis u01 : is_prompt u.
Hypothesis sizes_neq0 : forall h, sizes h != 0.
Hypothesis all_bounds : bounds m mu inputs first signed sizes.
Hypothesis serves : forall x, x \in inputs -> F_star m mu x = label_at m (head_rows m b (behind m u)) x.

Let y1 (h : H) : R := y m b ord_max h.
Let c (h : H) : R := behind m u h.
Let z (h : H) : R := y1 h * c h / sizes h.

(** g'v > 0, in units of sizes. *)
Lemma constraints_gain cs : constraints (F_star m mu) (fun x => x \in inputs) cs ->
  0 < \sum_h z h * in_sizes m mu sizes cs h.
Proof.
move=> cs_ok; have [each _] := cs_ok.
have := gain_gt0 cs_ok (score := fun l x => dot (head_rows m b (behind m u) l) (beta_of m x)) _.
rewrite gain_combination big_ord_recl big_ord1.
have <- : ord_max = lift ord0 ord0 :> 'I_2 by exact: val_inj.
rewrite -big_split /= (eq_bigr (fun h => z h * in_sizes m mu sizes cs h)) => [|h _].
  by apply=> c0 /each[/serves].
have := sum_combination (F_star m mu) (fun x => beta_of m x h) cs.
rewrite big_ord_recl big_ord1.
have <- : ord_max = lift ord0 ord0 :> 'I_2 by exact: val_inj.
move=> /eqP; rewrite addr_eq0 => /eqP->; rewrite mulrN addrC -mulrBl /in_sizes.
rewrite /head_rows -mulrBl -dotB [X in _ = _ * X]mulrC mulrA divfK //.
Qed.

Variable top : H.
Hypothesis top_max : forall h, `|z h| <= `|z top|.
Let q : R := 4%:R^-1 * `|z top|.

(** What a bound says of z. *)
Lemma bound_means h w within : (h != first) || (w == 0) -> bound m mu inputs first sizes h w within ->
  bound_on z first q h w within.
Proof.
move=> h_first [cs [cs_ok a_within rest]]; exists (in_sizes m mu sizes cs first) => //.
have := constraints_gain cs_ok; rewrite (bigD1 first) //= [z first * _]mulrC.
move=> pos; apply: (lt_le_trans pos); rewrite -addrA ler_add2l.
pose d k := in_sizes m mu sizes cs k - w * (k == h)%:R.
rewrite (eq_bigr (fun k => z k * (w * (k == h)%:R) + z k * d k)) => [|k _]; last by rewrite -mulrDr /d addrC subrK.
rewrite big_split /=; apply: ler_add.
  case/orP: h_first => [h_first|/eqP w0]; last by rewrite w0 mul0r big1 // => k _; rewrite mul0r mulr0.
  rewrite (bigD1 h) //= eqxx mulr1 big1 ?addr0 1?mulrC // => k /andP[_ /negbTE->].
  by rewrite !mulr0.
apply: le_trans (_ : \sum_(k | k != first) `|z top| * `|d k| <= _).
  apply: ler_sum => k _; apply: le_trans (ler_norm _) _; rewrite normrM; exact: ler_wpmul2r.
by rewrite -mulr_sumr mulrC; exact: ler_wpmul2r.
Qed.

(** So where j is signed, z_j > 0, *)
Lemma z_signed j : j \in signed -> 0 < z j /\ forall h, `|z h| <= 8%:R * z j.
Proof.
have h0 : bound_on z first q first 0 (fun a => 1 <= a).
  by apply: bound_means; rewrite ?eqxx ?orbT //; have := all_bounds first; rewrite eqxx.
have h1 h : h != first -> bound_on z first q h (-1) (fun a => 0 <= a <= 1).
  by move=> neq; apply: bound_means; rewrite ?neq //; have := all_bounds h; rewrite (negbTE neq) => -[].
have h4 h : h != first -> h \in signed -> bound_on z first q h 4%:R (fun a => -2%:R <= a <= -1).
  move=> neq hs; apply: bound_means; rewrite ?neq //.
  by have := all_bounds h; rewrite (negbTE neq) hs => -[].
have h2 h : h != first -> h \notin signed -> bound_on z first q h 1 (fun a => 0 <= a <= 1).
  move=> neq hs; apply: bound_means; rewrite ?neq //.
  by have := all_bounds h; rewrite (negbTE neq) (negbTE hs) => -[].
have eq_q : 4%:R * q = `|z top| by rewrite /q mulVKf // pnatr_eq0.
have le_q h : `|z h| <= 4%:R * q by rewrite eq_q.
have ex_q : exists h, `|z h| = 4%:R * q by exists top.
move=> js; split=> [|h]; first exact: (signed_gt0 h0 h1 h4 h2 le_q ex_q js).
exact: (signed_most h0 h1 h4 h2 le_q ex_q h js).
Qed.

Lemma c_ge0 h : 0 <= c h. Proof. by apply: next_ge0 => f; rewrite mulr_ge0 ?P_H_ge0 //; case/andP: (u01 f). Qed.

(** c_j > 0, and y_j has the sign of its size. *)
Lemma signed_y j : j \in signed -> [/\ 0 < c j, y1 j != 0 & Num.sg (sizes j) * y1 j = `|y1 j|].
Proof.
move=> /z_signed[z_pos _]; have cj : 0 < c j.
  by rewrite lt0r c_ge0 andbT; apply: contraTneq z_pos; rewrite /z => ->; rewrite mulr0 mul0r ltxx.
have y_pos : 0 < y1 j / sizes j by move: z_pos; rewrite /z mulrAC pmulr_lgt0.
split=> //; first by apply: contraTneq y_pos => ->; rewrite mul0r ltxx.
by rewrite -[y1 j](divfK (sizes_neq0 j)) normrM (gtr0_norm y_pos) mulrCA -normrEsg.
Qed.

(** What f gives c_j; f is a cause where no other state gives more. *)
Definition part (j f : H) : R := trans m j f * (P_H m 1 f * u f).
Definition is_cause (j f : H) : Prop := forall f', part j f' <= part j f.

Lemma part_ge0 j f : 0 <= part j f.
Proof. by rewrite !mulr_ge0 ?P_H_ge0 ?(proj1 (trans_law m f)) //; case/andP: (u01 f). Qed.

(** It gives at least one m_j-th of c_j, *)
Lemma cause_part j f : is_cause j f -> c j <= #|leading m j|%:R * part j f.
Proof.
move=> most_f; rewrite mulr_natl -sumr_const /c /behind /next big_mkcond /= [X in _ <= X]big_mkcond.
apply: ler_sum => f' _; case: ifP => [_|not_leading]; first exact: most_f.
have : trans m j f' * P_H m 1 f' <= 0 by rewrite leNgt; move: not_leading; rewrite inE => ->.
by rewrite mulrA => le0; apply: mulr_le0_ge0 => //; case/andP: (u01 f').
Qed.

(** so that no y_h, f leading to h, is large beside y_j. *)
Lemma cause_most h j f : j \in signed -> is_cause j f -> 0 < trans m h f -> `|y1 h| <= most m sizes h j f * `|y1 j|.
Proof.
move=> js cause hf; have [cj _ _] := signed_y js; have [z_pos /(_ h) z_most] := z_signed js.
have ch : trans m h f * c j <= #|leading m j|%:R * trans m j f * c h.
  apply: le_trans (_ : trans m h f * (#|leading m j|%:R * part j f) <= _).
    by rewrite ler_wpmul2l ?(ltW hf) // cause_part.
  rewrite [X in X <= _](AC (1*(1*2)) ((2*3)*(1*4))) /= ler_wpmul2l ?mulr_ge0 ?ler0n ?(proj1 (trans_law m f)) //.
  rewrite /c /behind /next (bigD1 f) //= ler_addl; apply: sumr_ge0 => f' _; exact: part_ge0.
have ch_pos : 0 < c h.
  rewrite lt0r c_ge0 andbT; apply: contraTneq ch => ->; rewrite mulr0 -ltNge; exact: mulr_gt0.
have Eh : 0 < `|sizes h| by rewrite normr_gt0.
have z_abs k : `|z k| = `|y1 k| * c k / `|sizes k| by rewrite !normrM normfV (ger0_norm (c_ge0 k)).
rewrite -(ler_pmul2r ch_pos); move: z_most.
rewrite -(gtr0_norm z_pos) !z_abs ler_pdivr_mulr // => /le_trans; apply.
rewrite /most invfM [X in _ <= X](AC (4*2*1*1) ((1*2*7*5)*(3*4*8*6))).
rewrite [X in X <= _](AC (1*3*1) ((1*5*2*4)*3)) /=.
rewrite ler_wpmul2l ?mulr_ge0 ?invr_ge0 ?normr_ge0 ?ler0n //.
by rewrite ler_pdivl_mulr // [c j * _]mulrC.
Qed.

(** So no tree that is valid has all their causes. *)
Lemma serves_no_tree cause (tree : cause_tree R H) : (forall j f, cause j = Some f -> is_cause j f) ->
  ~ refutes_causes m signed sizes cause tree.
Proof.
elim: tree cause => [j child IH|J t r] cause known /=.
  move=> [js _ below_j]; pose f := [arg max_(f > first) part j f]%O.
  have f_cause : is_cause j f by move=> f'; rewrite /f; case: arg_maxP => // i _; exact.
  apply: (IH f (set_at cause j (Some f))) => [j' f'|].
    by rewrite /set_at; case: eqP => [-> [<-]//|_]; exact: known.
  apply: below_j; rewrite inE lt0r mulr_ge0 ?P_H_ge0 ?(proj1 (trans_law m f)) // andbT.
  have [cj _ _] := signed_y js; apply: contraTneq cj => zero.
  by rewrite -leNgt; apply: le_trans (cause_part f_cause) _; rewrite [part j f]mulrA zero mul0r mulr0.
move=> [[J_neq0 /subsetP J_signed] t_pos from_cause eq_sums too_small].
pose lean h j := if cause j is Some f then `|r h j| * most m sizes h j f else 0.
have each h j : j \in J -> r h j * y1 h <= lean h j * `|y1 j|.
  move=> jJ; have [r0|r_neq0] := eqVneq (r h j) 0.
    by rewrite r0 mul0r /lean r0 normr0; case: (cause j) => [f|]; rewrite !mul0r.
  have [f eq_f hf] := from_cause h j jJ r_neq0; rewrite /lean eq_f -mulrA.
  apply: le_trans (ler_norm _) _; rewrite normrM ler_wpmul2l //.
  exact: cause_most (J_signed j jJ) (known j f eq_f) hf.
have : \sum_(j in J) t j * `|y1 j| = \sum_(j in J) \sum_h r h j * y1 h.
  pose db z := b ord_max z - b ord0 z.
  transitivity (dot db (fun z => \sum_(j in J) t j * Num.sg (sizes j) * emit m z j)).
    rewrite dot_sum; apply: eq_bigr => j /J_signed/signed_y[_ _ <-]; by rewrite mulrA.
  rewrite (eq_dot (frefl db) eq_sums) /dot; under eq_bigr do rewrite mulr_sumr.
  rewrite exchange_big; apply: eq_bigr => j _; exact: dot_sum.
apply/eqP; rewrite gt_eqF //.
have [j0 j0J] := set0Pn _ J_neq0.
have step j : j \in J -> \sum_h r h j * y1 h < t j * `|y1 j|.
  move=> jJ; have [_ y_neq0 _] := signed_y (J_signed j jJ).
  apply: le_lt_trans (_ : \sum_h lean h j * `|y1 j| < _); first by apply: ler_sum => h _; exact: each.
  by rewrite -mulr_suml ltr_pmul2r ?normr_gt0 // too_small.
rewrite (bigD1 j0) //= [X in _ < X](bigD1 j0) //=; apply: ltr_le_add; first exact: step.
by apply: ler_sum => j /andP[jJ _]; rewrite ltW ?step.
Qed.

End Served.

Theorem rule_near_border : statement_rule_near_border.
Proof.
move=> R H X m mu inputs first signed sizes tree possible _ sizes_neq0 all_bounds refuted u b E u01.
pose wrong x := F_star m mu x != label_at m (head_rows m b (behind m u)) x.
have [/hasP[x x_in /eqP mislabelled]|/hasPn right] := boolP (has wrong inputs).
  by exists x; split=> //; [exact: possible | rewrite rule_prompted_head].
have serves x : x \in inputs -> F_star m mu x = label_at m (head_rows m b (behind m u)) x.
  by move=> /right/negPn/eqP.
pose z h := `|y m b ord_max h * behind m u h / sizes h|.
pose top := [arg max_(h > first) z h]%O.
have top_max h : z h <= z top by rewrite /top; case: arg_maxP => // i _; exact.
by case: (serves_no_tree u01 sizes_neq0 all_bounds serves top_max (cause := fun=> None) _ refuted).
Qed.
