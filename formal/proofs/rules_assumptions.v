(** Rules of the certificate format: what decides assumptions 3.1 and 3.5 (section 4). *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules proofs.paths proofs.linear.

Section Columns.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Implicit Types (D : {set H}) (v : H -> R).

(** Columns with dual vectors are independent; *)
Lemma dual_independent D (L : H -> X -> R) :
  (forall g h, g \in D -> h \in D -> \sum_z L g z * emit m z h = (g == h)%:R) -> independent D (column m).
Proof.
move=> dual c zero g gD; have : dot (L g) (fun z => \sum_(h in D) c h * column m h z) = 0.
  by apply: big1 => z _; rewrite zero mulr0.
rewrite dot_sum (bigD1 g) //= [dot _ _]dual // eqxx mulr1 big1 ?addr0 // => h /andP[hD neq_hg].
by rewrite [dot _ _]dual // eq_sym (negbTE neq_hg) mulr0.
Qed.

(** a null vector that is 0 outside D shows that those in D are not. *)
Lemma null_dependent D v : (exists h, v h != 0) -> (forall z, \sum_h emit m z h * v h = 0) ->
  (forall h, v h != 0 -> h \in D) -> ~ independent D (column m).
Proof.
move=> [h nz] null inD indep; case/negP: (nz); apply/eqP; apply: indep (inD h nz) => z.
rewrite -[RHS](null z) big_mkcond; apply: eq_bigr => g _; rewrite /column mulrC.
by case: ifPn => // /(contraNeq (fun nz => inD g nz))->; rewrite mulr0.
Qed.

(** A minor that is not 0, of integers, makes the columns independent. *)
Lemma minor_independent (D : {set H}) r (col : 'I_r -> H) (z : 'I_r -> X) (N : 'M[int]_r) (d : R) :
  injective col -> D =i codom col -> (forall i j, d * emit m (z i) (col j) = (N i j)%:~R) ->
  \det N != 0 -> independent D (column m).
Proof.
move=> col_inj in_D integers nz c zero h; rewrite in_D => /codomP[j ->].
have unit_N : (map_mx intr N : 'M[R]_r) \in unitmx by rewrite unitmxE det_map_mx unitfE intr_eq0.
pose v := \col_j c (col j) : 'cV[R]_r; suff /matrixP/(_ j 0) : v = 0 by rewrite !mxE.
rewrite -[v](mulKmx unit_N) [_ *m v](_ : _ = 0) ?mulmx0 //; apply/matrixP => i k; rewrite !mxE.
transitivity (d * \sum_(g in D) c g * column m g (z i)); last by rewrite zero mulr0.
have over_D (F : H -> R) : \sum_(g in D) F g = \sum_j' F (col j').
  transitivity (\sum_(g <- codom col) F g); last by rewrite /codom big_image.
  by rewrite (eq_bigl _ _ in_D) big_uniq // map_inj_uniq ?enum_uniq.
rewrite over_D mulr_sumr.
by apply: eq_bigr => k' _; rewrite !mxE -integers mulrAC -mulrA.
Qed.

Lemma covered_sub (B B' : {set H}) : B \subset B' -> covered m B \subset covered m B'.
Proof.
move=> /subsetP sub; apply/subsetP => h; rewrite !inE => /existsP[f /andP[/sub fB A_gt0]].
by apply/existsP; exists f; rewrite fB.
Qed.

End Columns.

Theorem rule_left_inverse : statement_rule_left_inverse.
Proof. by move=> R H X m L inverse; apply: dual_independent => g h _ _; exact: inverse. Qed.

Theorem rule_null_vector : statement_rule_null_vector.
Proof. by move=> R H X m v nz null; apply: null_dependent nz null _ => h _; rewrite inE. Qed.

Theorem rule_cover : statement_rule_cover.
Proof.
move=> R H X m K mu B Hstar L eq_Hstar sub inverse; exists Hstar, B; split=> //; exact: dual_independent inverse.
Qed.

Theorem rule_minor : statement_rule_minor.
Proof.
move=> R H X m D z N d p integers nz.
have indep : independent D (column m).
  apply: (minor_independent enum_val_inj _ integers) => [h|]; last first.
    by apply: contraNneq nz => eq0; rewrite det_map_mx eq0.
  by apply/idP/codomP => [hD|[i ->]]; [exists (enum_rank_in hD h); rewrite enum_rankK_in | exact: enum_valP].
by split=> // [eq_D|K mu B eq_D sub]; [rewrite eq_D in indep | exists D, B].
Qed.

Theorem rule_no_cover : statement_rule_no_cover.
Proof.
move=> R H X m K mu t refuted [Hstar [B [indep /subsetP sub eq_B]]]; subst Hstar.
suff no_B (B0 : {set H}) : B0 \subset B -> no_cover m mu B0 t -> False by exact: no_B (sub0set B) refuted.
elim: t {refuted} B0 => [h child IH|v] B0 sub0 /=.
  move=> [/sub]; rewrite inE => /existsP[f /andP[fB A_gt0]] /(_ f A_gt0); apply: IH.
  by rewrite subUset sub1set fB.
move=> [nz null in_B0]; apply: (null_dependent nz null) indep => h /in_B0; exact: (subsetP (covered_sub m sub0)).
Qed.
