(** What decides that no prompt and head serve, to two labels, by inputs near the border of F*
    (docs/certificate-format.md, section 6, near-border). *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules statements.near_border proofs.paths
  proofs.refutations_numbers proofs.rules_agreement proofs.rules_near_border checker.tables checker.models checker.assumptions
  checker.agreement checker.refutation.

(** Multipliers over a common denominator. *)
Definition bound_z : Type := Z * multipliers.

(** The tree over causes; weights t of states j, and weights r of states h that lean on j. *)
Inductive cause_tree_z :=
  | ByZ of nat & (nat -> cause_tree_z)
  | RelationZ of seq (nat * Z) & seq (nat * nat * Z).

Record border_z := BorderZ {
  inputs_z : seq (seq nat);
  first_state : nat;
  signed_z : seq nat;
  unit_of_sizes : Z;
  sizes_z : seq Z;
  bounds_z : seq (seq bound_z);
  causes_z : cause_tree_z }.

Section Decided.

Variables (T : tables) (mu : seq (seq Z)) (B : border_z).
Notation n := (n T).

(** Each input with beta(x), computed once for all bounds, times (dA dW)^L; and with its label. *)
Definition L : nat := longest (inputs_z B).
Definition read_inputs : seq (seq nat * (seq Z * nat)) :=
  let f := task_z T mu in tabulate (fun x => let v := beta_in T L x in (v, label_by T 1 f v)) (inputs_z B).

Section Bounds.

Variable table : seq (seq nat * (seq Z * nat)).
Notation beta_at x := (look ([::], 2%N) table x).1.
Notation label_at_z x := (look ([::], 2%N) table x).2.

Definition good_input (x : seq nat) (l : nat) : bool := (x \in inputs_z B) && (label_at_z x == l).

(** A bound at h with the weight w there, and a weight between lo and hi at the first state. *)
Definition bound_ok (h : nat) (w lo : Z) (hi : option Z) (bound : bound_z) : bool :=
  let cs := [seq (c.1.1, label_at_z c.1.1, c.1.2, c.2) | c <- bound.2] in
  let v := vec n (fun k => combine (fun x => get (beta_at x) k) cs 1 * get (sizes_z B) k)%coqZ in
  let one := (bound.1 * unit_of_sizes B * Z.pow (dA T * dW T) (Z.of_nat L))%coqZ in
  let a := get v (first_state B) in
  [&& (0 <? bound.1)%coqZ, constraints_z 1 good_input cs, (lo * one <=? a)%coqZ, (if hi is Some b then a <=? b * one else true)%coqZ &
      (4 * sum n (fun k => if k == first_state B then 0 else Z.abs (get v k - (if k == h then w else 0) * one)) <=? one)%coqZ].

Definition bounds_ok : bool :=
  each n (fun h => let bs := nth [::] (bounds_z B) h in let bound := nth (0%coqZ, [::]) bs in
    if h == first_state B then bound_ok h 0 1 None (bound 0%N)
    else bound_ok h (-1) 0 (Some 1%coqZ) (bound 0%N) &&
      if h \in signed_z B then bound_ok h 4 (-2) (Some (-1)%coqZ) (bound 1%N) else bound_ok h 1 0 (Some 1%coqZ) (bound 1%N)).

End Bounds.

Definition leads (j f : nat) : bool := (0 <? get2 (A T) j f)%coqZ && (0 <? get (first_z T) f)%coqZ.
Definition weight_of (ts : seq (nat * Z)) (j : nat) : Z := foldr (fun '(k, t) s => if k == j then t else s) 0%coqZ ts.
Definition leaning (rs : seq (nat * nat * Z)) (h j : nat) : Z :=
  foldr (fun '(h', j', r) s => if (h' == h) && (j' == j) then r else s) 0%coqZ rs.
Definition most_z (h j f : nat) : Q :=
  ((8 * Z.abs (get (sizes_z B) h) * sum n (fun g => if leads j g then 1 else 0) * get2 (A T) j f)%coqZ # 1) /
    ((Z.abs (get (sizes_z B) j) * get2 (A T) h f)%coqZ # 1).

Fixpoint refutes_causes_z (cause : nat -> option nat) (t : cause_tree_z) : bool :=
  match t with
  | ByZ j child =>
      [&& (j < n)%N, j \in signed_z B, cause j == None &
          each n (fun f => leads j f ==> refutes_causes_z (put cause j (Some f)) (child f))]
  | RelationZ ts rs =>
      let J j := j \in map fst ts in let t := weight_of ts in let r := leaning rs in
      [&& some n J, each n (fun j => J j ==> (j \in signed_z B) && (0 <? t j)%coqZ),
          each n (fun h => each n (fun j => J j ==> ~~ (r h j =? 0)%coqZ ==>
            if cause j is Some f then 0 <? get2 (A T) h f else false)%coqZ),
          each (c T) (fun z =>
            sum n (fun j => if J j then t j * Z.sgn (get (sizes_z B) j) * get2 (W T) z j else 0) =?
            sum n (fun j => if J j then sum n (fun h => r h j * get2 (W T) z h) else 0))%coqZ &
          each n (fun j => J j ==> ~~ Qle_bool (t j # 1) (Qsum (iota 0 n) (fun h =>
            if cause j is Some f then (Z.abs (r h j) # 1) * most_z h j f else 0))%coqQ)]
  end.

Definition near_border_z : bool :=
  [&& rows_ok 1 mu && all (is_input_z T) (inputs_z B), (first_state B < n)%N, first_state B \in signed_z B, (0 <? unit_of_sizes B)%coqZ,
      each n (fun h => ~~ (get (sizes_z B) h =? 0)%coqZ), bounds_ok read_inputs & refutes_causes_z (fun=> None) (causes_z B)].

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Variables (ih : numbering H n) (ix : numbering X (c T)) (D : describes m ih ix).
Variables (rmu : R) (mu' : 'I_2 -> H -> R) (rmu0 : 0 < rmu) (muE : show ih rmu mu' mu).
Notation of_Z := (of_Z R).
Notation of_Q := (of_Q R).

Let inputs := map (word ix) (inputs_z B).
Let first := item ih (first_state B).
Let signed : {set H} := [set h | ih h \in signed_z B].
Let sizes (h : H) : R := of_Z (get (sizes_z B) (ih h)) / of_Z (unit_of_sizes B).
Let scale := of_Z (dA T) * of_Z (dW T).

Hypotheses (lt_first : (first_state B < n)%N) (unit_gt0 : 0 < of_Z (unit_of_sizes B)).
Hypotheses (rows : rows_ok 1 mu) (inputs_ok : forall x, x \in inputs_z B -> is_input_z T x).

Lemma good_inputP x l : (l < 2)%N -> good_input read_inputs x l -> word ix x \in inputs /\ F_star m mu' (word ix x) = inord l.
Proof.
move=> lt_l /andP[x_in /eqP lE]; split; first exact: map_f.
have [_ possible] := is_inputP D (inputs_ok x_in); rewrite rule_task //; apply: val_inj; rewrite [RHS]inordK // -lE look_tabulate //.
by apply: (label_byP D (task_gt0 D rmu0) (task_E D muE rows) (longest_size x_in)); exact: is_input_word (inputs_ok x_in).
Qed.

Lemma of_Z_sgn z : of_Z (Z.sgn z) = Num.sg (of_Z z).
Proof.
case: z => [|p|p]; first by rewrite sgr0.
  by rewrite gtr0_sg ?of_Z_gt0.
by rewrite -Pos2Z.opp_pos Z.sgn_opp !of_ZN sgrN gtr0_sg ?of_Z_gt0.
Qed.

(** Constraints with their weights times a number > 0. *)
Definition reweighted (r : R) (c : constraint R X 1) : constraint R X 1 := (at_input c, rival c, r * weight c).

Lemma reweighted_constraints (F : seq X -> 'I_2) good r cs : 0 < r -> constraints F good cs ->
  constraints F good (map (reweighted r) cs).
Proof.
move=> r0 [ok strict_cs]; split=> [_ /mapP[c' c_in ->]|]; last by rewrite has_map.
by have [good_c rival_c w0] := ok _ c_in; split=> //; exact: mulr_gt0.
Qed.

Lemma reweighted_combination (F : seq X -> 'I_2) phi r cs l :
  combination F phi (map (reweighted r) cs) l = r * combination F phi cs l.
Proof. by rewrite /combination big_map mulr_sumr; apply: eq_bigr => c' _; rewrite !mulrA. Qed.

Lemma bound_okP h w lo hi b : bound_ok read_inputs (ih h) w lo hi b ->
  bound m mu' inputs first sizes h (of_Z w) (fun a => (of_Z lo <= a) && (if hi is Some b then a <= of_Z b else true)).
Proof.
rewrite /bound_ok; set cs := map _ _; set v := vec _ _; case/and5P=> q0 ok lo_a a_hi rest.
have {}q0 : 0 < of_Z b.1 by rewrite -of_Z0 of_Z_lt.
set one_z := (b.1 * _ * _)%coqZ in lo_a a_hi rest.
pose real := map (real_constraint R 1 ix) cs; pose one := of_Z b.1 * of_Z (unit_of_sizes B) * scale ^+ L.
have one_gt0 : 0 < one by rewrite !mulr_gt0 ?exprn_gt0 ?s_gt0 // ?(s_gt0 D).
have oneE : of_Z one_z = one by rewrite !of_ZM of_Z_pow of_ZM.
have timesE k : one * of_Z k = of_Z (k * one_z) by rewrite of_ZM oneE mulrC.
have vE k : one * in_sizes m mu' sizes (map (reweighted (of_Z b.1)^-1) real) k = of_Z (get v (ih k)).
  have combE : scale ^+ L * combination (F_star m mu') (fun x => beta_of m x k) real ord_max =
      of_Z (combine (fun x => get (look ([::], 2%N) read_inputs x).1 (ih k)) cs 1).
    apply: (combine_shows (good := fun y => y \in inputs) good_inputP ord_max ok) => x l' _ _ /andP[x_in _].
    by rewrite look_tabulate //; apply: (beta_in_shows D (longest_size x_in)) (is_input_word (inputs_ok x_in)) k.
  rewrite /in_sizes reweighted_combination get_vec of_ZM -combE /one /sizes.
  set a := combination _ _ _ _; set e := of_Z (get _ _); set u := of_Z (unit_of_sizes B).
  rewrite -[_^-1 * _ * _]mulrA -[X in X * _]mulrA mulrACA divff ?lt0r_neq0 // mul1r [u * _]mulrC [a * _]mulrA.
  by rewrite mulrACA divff ?lt0r_neq0 // mulr1 mulrA.
exists (map (reweighted (of_Z b.1)^-1) real); split.
- by apply: reweighted_constraints; [rewrite invr_gt0 | exact: (constraints_zP R good_inputP ok)].
- rewrite (shows_le one_gt0 (timesE lo) (vE first)) itemK // lo_a /=; case: (hi) a_hi => // b0.
  by rewrite (shows_le one_gt0 (vE first) (timesE b0)) itemK.
have four : of_Z 4 = 4%:R by rewrite of_Z_int.
rewrite -(ler_pmul2l one_gt0) -(ler_pmul2l (x := 4%:R)) ?ltr0n //.
have -> : 4%:R * (one * 4%:R^-1) = one by rewrite mulrCA divff ?mulr1 ?pnatr_eq0.
rewrite (_ : one * _ = of_Z (sum n (fun k => if k == first_state B then 0 else
  Z.abs (get v k - (if k == ih h then w else 0) * one_z)))%coqZ).
  by rewrite -four -of_ZM -oneE of_Z_le.
rewrite big_mkcond; apply: (shows_sum ih) => k.
rewrite -[k == first](inj_eq (can_inj (numberK ih))) itemK // -[k == h](inj_eq (can_inj (numberK ih))).
case: eqP => _ /=; first exact: mulr0.
rewrite of_Z_abs -[X in X * _](gtr0_norm one_gt0) -normrM mulrBr vE of_ZB -timesE of_Z_if of_Z0.
by case: eqP; rewrite ?mulr1 ?mulr0.
Qed.

Lemma bounds_okP : bounds_ok read_inputs -> bounds m mu' inputs first signed sizes.
Proof.
move=> /(eachP ih) ok h; move: (ok h) => /=.
have -> : (h == first) = (ih h == first_state B) by rewrite -(inj_eq (can_inj (numberK ih))) itemK.
have within w lo hi b (P : R -> bool) : bound_ok read_inputs (ih h) w lo hi b ->
  (fun a => (of_Z lo <= a) && (if hi is Some b then a <= of_Z b else true)) =1 P ->
  bound m mu' inputs first sizes h (of_Z w) P.
  by case/bound_okP=> cs [ok_cs inP rest] eq_P; exists cs; split=> //; rewrite -eq_P.
have of_Z_N1 : of_Z (-1) = -1 := of_ZN R 1; have of_Z_N2 : of_Z (-2) = -2%:R by rewrite of_Z_int.
case: ifP => _; first by move=> ok_b; apply: within ok_b _ => a; rewrite andbT.
case/andP=> ok_below; rewrite -(in_set (fun h => ih h \in signed_z B)); split.
  by have := within _ _ _ _ (fun a => 0 <= a <= 1) ok_below; rewrite of_Z_N1; apply.
move: b; rewrite -/signed; case: ifP => _ ok_above; last by apply: (within 1%coqZ _ _ _ _ ok_above).
have := within _ _ _ _ (fun a => -2%:R <= a <= -1) ok_above; rewrite (of_Z_int R 4); apply=> a.
by rewrite of_Z_N1 of_Z_N2.
Qed.

(** ** Causes *)

Lemma first_gt0 f : (0 < P_H m 1 f) = (0 <? get (first_z T) (ih f))%coqZ.
Proof. by rewrite (shows_gt0 _ (first_shows D f)) // mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D). Qed.

Lemma leadsP j f : (f \in leading m j) = leads (ih j) (ih f).
Proof.
rewrite inE /leads -first_gt0 -(trans_gt0 D) lt0r mulf_eq0 negb_or mulr_ge0 ?P_H_ge0 ?(trans_law m f).1 // andbT.
by rewrite !lt0r P_H_ge0 (trans_law m f).1 !andbT.
Qed.

Lemma most_zP h j f : most m sizes h j f = of_Q (most_z (ih h) (ih j) (ih f)).
Proof.
pose k := of_Z (unit_of_sizes B) * of_Z (dA T); have k0 : k != 0 by rewrite lt0r_neq0 // mulr_gt0 ?(dA_gt0 D).
have sizeE g : of_Z (unit_of_sizes B) * `|sizes g| = of_Z (Z.abs (get (sizes_z B) (ih g))).
  by rewrite of_Z_abs /sizes normrM normfV [`|of_Z (unit_of_sizes B)|]gtr0_norm // mulrC divfK ?lt0r_neq0.
have countE : #|leading m j|%:R = of_Z (sum n (fun g => if leads (ih j) g then 1 else 0)%coqZ) :> R.
  rewrite (of_sum ih) -sum1_card natr_sum big_mkcond; apply: eq_bigr => g _; rewrite leadsP of_Z_if; by case: ifP.
rewrite of_Q_div -!of_Z_of_Q !of_ZM -countE -!sizeE -!(trans_shown D) [of_Z 8]of_Z_int /most.
set a := `|sizes h|; set b := `|sizes j|; set l := #|_|%:R; set x := trans m j f; set y := trans m h f.
transitivity (k / k * (8%:R * a * l * x / (b * y))); first by rewrite divff // mul1r.
rewrite mulf_div; congr (_ / _); last by rewrite mulrACA.
by rewrite [_%:~R * (_ * a)]mulrCA -[of_Z _ * _ * l]mulrA [RHS]mulrACA.
Qed.

Lemma refutes_causesP t cause cz : (forall h, omap ih (cause h) = cz (ih h)) -> refutes_causes_z cz t ->
  exists t', refutes_causes m signed sizes cause t'.
Proof.
elim: t cause cz => [j child IH|ts rs] cause cz causeE /=.
  case/and4P=> lt_j j_signed /eqP none /(eachP ih) below.
  have : forall f, exists t', f \in leading m (item ih j) ->
      refutes_causes m signed sizes (set_at cause (item ih j) (Some f)) t'.
    move=> f; have [f_in|_] := boolP (f \in leading m (item ih j)); last by exists (Relation set0 (fun=> 0) (fun _ _ => 0)).
    have [||t' ok] := IH (ih f) (set_at cause (item ih j) (Some f)) (put cz j (Some (ih f))); last by exists t'.
      by move=> h; rewrite /set_at /put -(inj_eq (can_inj (numberK ih))) itemK //; case: eqP.
    by apply: (implyP (below f)); rewrite -{1}(itemK ih lt_j) -leadsP.
  case/fin_all_exists=> t' ok; exists (By (item ih j) t'); split=> //; first by rewrite inE itemK.
  by have := causeE (item ih j); rewrite itemK // none; case: (cause _).
set J := fun j => j \in map fst ts; case/and5P=> /(someP ih)[j0 j0_J] /(eachP ih) positive /(eachP ih) leans.
move=> /(eachP ix) relation /(eachP ih) outweighed.
pose Js : {set H} := [set j | J (ih j)]; pose t' j := of_Z (weight_of ts (ih j)).
pose r' h j := of_Z (leaning rs (ih h) (ih j)).
have JsE j : (j \in Js) = J (ih j) by rewrite inE.
have t_gt0 j : j \in Js -> (j \in signed) && (0 < t' j).
  by rewrite JsE inE => Jj; have := implyP (positive j) Jj; rewrite /t' -[0]/(of_Z 0) of_Z_lt.
have r_cause h j : j \in Js -> r' h j != 0 -> exists2 f, cause j = Some f & 0 < trans m h f.
  rewrite JsE -[0]/(of_Z 0) of_Z_eqE => Jj nz; have := implyP (implyP (eachP ih _ (leans h) j) Jj) nz.
  by rewrite -causeE; case: (cause j) => //= f pos; exists f; rewrite // (trans_gt0 D).
exists (Relation Js t' r'); split=> //.
- split; first by apply/set0Pn; exists j0; rewrite JsE.
  by apply/subsetP => j /t_gt0/andP[].
- by move=> j /t_gt0/andP[].
- move=> z; apply: (mulfI (lt0r_neq0 (dW_gt0 D))); rewrite big_mkcond [in RHS]big_mkcond /=.
  have /Z.eqb_eq eq_z := relation z.
  set left := sum n _ in eq_z; transitivity (of_Z left); last rewrite eq_z; last symmetry.
    apply: (shows_sum ih) => j; rewrite JsE /J; case: ifP => _; last exact: mulr0.
    rewrite !of_ZM of_Z_sgn -(emit_shown D) [RHS]mulrCA /sizes sgrM sgrV [Num.sg (of_Z (unit_of_sizes B))]gtr0_sg //.
    by rewrite mulr1.
  apply: (shows_sum ih) => j; rewrite JsE /J; case: ifP => _; last exact: mulr0.
  by apply: (shows_sum ih) => h; rewrite of_ZM -(emit_shown D) mulrCA.
move=> j Jj; have := implyP (outweighed j); rewrite JsE in Jj => /(_ Jj); rewrite -(of_Q_lt R) /t' of_Z_of_Q.
apply: le_lt_trans; rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: (@of_Qsum _ _ ih R) => h; have := causeE j; case: (cause j) => [f|] /= <-; last by rewrite of_Q0.
by rewrite of_QM -of_Z_of_Q of_Z_abs -most_zP.
Qed.

End Decided.

Theorem near_border_ok (T : tables) (mu : seq (seq Z)) (B : border_z) (R : realFieldType) (H X : finType) (m : hmm R H X)
    (ih : numbering H (n T)) (ix : numbering X (c T)) (D : describes m ih ix) (rmu : R) (mu' : 'I_2 -> H -> R) :
  0 < rmu -> show ih rmu mu' mu -> near_border_z T mu B ->
  forall (u : letter R H) (b : 'I_2 -> X -> R) (E : X), is_prompt u ->
  exists2 x, is_input m x & F_star m mu' x <> linear_head b (Gbar m (u :: embed m (E :: x)) 2).
Proof.
move=> rmu0 muE /and5P[/andP[rows /allP inputs_ok] lt_first first_signed /Z.ltb_lt unit_gt0 /and3P[/(eachP ih) sizes0 bounded refuted]] u b E u01.
have {}unit_gt0 : 0 < of_Z R (unit_of_sizes B) by rewrite -of_Z0 of_Z_lt; apply/Z.ltb_lt.
have [//|t ok] := refutes_causesP D unit_gt0 (cause := fun=> None) _ refuted.
have [|||x [x_in x_input differ]] := rule_near_border _ _ _ (bounds_okP D rmu0 muE lt_first unit_gt0 rows inputs_ok bounded) ok b E u01.
- by move=> x /mapP[w w_in ->]; apply: (is_inputP D); exact: inputs_ok.
- by rewrite inE itemK.
- by move=> h; have := sizes0 h; rewrite -(of_Z_eqE R) => nz; rewrite mulf_neq0 // invr_neq0 // lt0r_neq0.
by exists x.
Qed.
