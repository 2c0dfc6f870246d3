(** Linear algebra: a vector is in a span or some functional tells it from the span; dual vectors of columns. *)

From Headproof Require Import definitions.prelude definitions.hmm.

Section Dot.

Variables (R : realFieldType) (T : finType).
Implicit Types (p q : T -> R).

Lemma eq_dot p p' q q' : p =1 p' -> q =1 q' -> dot p q = dot p' q'.
Proof. by move=> eq_p eq_q; apply: eq_bigr => t _; rewrite eq_p eq_q. Qed.

Lemma dotC p q : dot p q = dot q p. Proof. by apply: eq_bigr => t _; rewrite mulrC. Qed.

Lemma dot_scale (c : R) p q : dot p (fun t => c * q t) = c * dot p q.
Proof. by rewrite mulr_sumr; apply: eq_bigr => t _; rewrite mulrCA. Qed.

Lemma dot_div (c : R) p q : dot p (fun t => q t / c) = dot p q / c.
Proof. by rewrite mulr_suml; apply: eq_bigr => t _; rewrite mulrA. Qed.

Lemma dotB p p' q : dot (fun t => p t - p' t) q = dot p q - dot p' q.
Proof. by rewrite -sumrB; apply: eq_bigr => t _; rewrite mulrBl. Qed.

Lemma dot_delta (t : T) q : dot (fun k => (k == t)%:R) q = q t.
Proof. rewrite /dot (bigD1 t) //= eqxx mul1r big1 ?addr0 // => k /negbTE->; exact: mul0r. Qed.

(** A functional of a combination is the combination of its values. *)
Lemma dot_sum (I : finType) (P : pred I) (c : I -> R) (col : I -> T -> R) p :
  dot p (fun t => \sum_(i | P i) c i * col i t) = \sum_(i | P i) c i * dot p (col i).
Proof.
rewrite /dot; under eq_bigr do rewrite mulr_sumr.
rewrite exchange_big; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => t _.
by rewrite mulrCA.
Qed.

Lemma dot_suml (I : finType) (P : pred I) (c : I -> R) (col : I -> T -> R) q :
  dot (fun t => \sum_(i | P i) c i * col i t) q = \sum_(i | P i) c i * dot (col i) q.
Proof. by rewrite dotC dot_sum; apply: eq_bigr => i _; rewrite dotC. Qed.

End Dot.

Lemma sum_enum (R : realFieldType) (T : finType) (F : T -> R) : \sum_t F t = \sum_(k < #|T|) F (enum_val k).
Proof. exact: (reindex _ (onW_bij _ (@enum_val_bij T))). Qed.

Section Spans.

Variables (R : realFieldType) (I X : finType) (col : I -> X -> R).
Implicit Types (D : {set I}) (v d : X -> R).

(** The rule of spans: either v is a combination of the columns in D, or some d is 0 on them and 1 on v. *)
Lemma span_or_dual D v : in_span D col v \/ exists2 d, (forall i, i \in D -> dot d (col i) = 0) & dot d v = 1.
Proof.
pose S := \matrix_(i < #|I|, z < #|X|) (if enum_val i \in D then col (enum_val i) (enum_val z) else 0).
pose V := \row_(z < #|X|) v (enum_val z).
have [/submxP[c eq_V]|notin] := boolP (V <= S)%MS; [left | right].
  exists (fun i => c ord0 (enum_rank i)) => z.
  have /matrixP/(_ ord0 (enum_rank z)) := eq_V; rewrite !mxE enum_rankK => ->.
  rewrite [RHS]big_mkcond [RHS]sum_enum; apply: eq_bigr => i _.
  by rewrite mxE enum_rankK enum_valK; case: ifP => // _; rewrite mulr0.
have dotE d u : dot d u = \sum_(k < #|X|) d (enum_val k) * u (enum_val k) by exact: sum_enum.
have [k nz] : exists k, (V *m cokermx S) ord0 k != 0.
  move: notin; rewrite submxE => /eqP neq0; apply/existsP; apply: contra_notT neq0 => /existsPn all0.
  by apply/matrixP => i k; rewrite ord1 [RHS]mxE; apply/eqP; have := all0 k; rewrite negbK.
exists (fun z => cokermx S (enum_rank z) k / (V *m cokermx S) ord0 k) => [i in_D|].
  rewrite dotE; have /matrixP/(_ (enum_rank i) k) := mulmx_coker S; rewrite [RHS]mxE mxE => eq0.
  rewrite (eq_bigr (fun z => S (enum_rank i) z * cokermx S z k / (V *m cokermx S) ord0 k)) => [|z _].
    by rewrite -mulr_suml eq0 mul0r.
  by rewrite enum_valK [S _ _]mxE enum_rankK in_D mulrAC [_ * col _ _]mulrC.
rewrite dotE -(divff nz) [X in _ = X / _]mxE mulr_suml; apply: eq_bigr => z _.
by rewrite enum_valK [V _ _]mxE mulrAC [_ * v _]mulrC.
Qed.

(** A member of an independent family is in no span of the others, *)
Lemma independent_coloop D i : independent D col -> i \in D -> coloop D col i.
Proof.
move=> indep in_D [c eq_col].
have /indep/(_ i in_D) : forall z, \sum_(k in D) (if k == i then -1 else c k) * col k z = 0.
  move=> z; rewrite (bigD1 i) //= eqxx mulN1r eq_col; apply/eqP; rewrite addrC subr_eq0; apply/eqP.
  rewrite [RHS](eq_bigl (fun k => (k \in D) && (k != i))) => [|k]; last by rewrite !inE andbC.
  by apply: eq_bigr => k /andP[_ /negbTE->].
by rewrite eqxx => /eqP; rewrite oppr_eq0 oner_eq0.
Qed.

(** nor of the others and of what meets their span only in 0. *)
Lemma separated_not_in_span D D' i : independent D col -> spans_meet_in_0 D D' col -> i \in D ->
  ~ in_span ((D :\ i) :|: D') col (col i).
Proof.
move=> indep meet0 in_D [c eq_col].
pose rest := D' :\: (D :\ i).
have eq_split z : col i z = \sum_(k in D :\ i) c k * col k z + \sum_(k in rest) c k * col k z.
  rewrite eq_col (bigID (fun k => k \in D :\ i)) /=; congr (_ + _); apply: eq_bigl => k.
    by rewrite !inE; case: (k == i); case: (k \in D); case: (k \in D').
  by rewrite !inE; case: (k == i); case: (k \in D); case: (k \in D').
pose w z := \sum_(k in rest) c k * col k z.
have w0 : forall z, w z = 0.
  apply: meet0.
    exists (fun k => if k == i then 1 else - c k) => z.
    rewrite (bigD1 i) //= eqxx mul1r {1}eq_split -/(w z) addrAC -[LHS]add0r; congr (_ + _).
    rewrite [X in _ = _ + X](eq_bigr (fun k => - (c k * col k z))) => [|k /andP[_ /negbTE->]]; last by rewrite mulNr.
    rewrite sumrN (eq_bigl (fun k => (k \in D) && (k != i))) => [|k]; last by rewrite !inE andbC.
    by rewrite subrr.
  exists (fun k => if k \in rest then c k else 0) => z.
  rewrite /w [LHS]big_mkcond [RHS]big_mkcond; apply: eq_bigr => k _.
  by rewrite inE; case: (k \in D'); rewrite ?andbT ?andbF ?mul0r //; case: ifP; rewrite ?mul0r.
apply: (independent_coloop indep in_D); exists c => z.
by rewrite eq_split -/(w z) w0 addr0.
Qed.

(** Dual vectors: d_i has 1 on column i and 0 on all others of D, and on D'. They are the rows of a left inverse. *)
Lemma separated_dual D D' : independent D col -> spans_meet_in_0 D D' col ->
  exists d : I -> X -> R, forall i, i \in D -> forall j, j \in D :|: D' -> dot (d i) (col j) = (j == i)%:R.
Proof.
move=> indep meet0.
have dual i : exists d, i \in D -> forall j, j \in D :|: D' -> dot d (col j) = (j == i)%:R.
  have [in_D|//] := boolP (i \in D); last by exists (fun=> 0).
  have [in_s|[d d0 d1]] := span_or_dual ((D :\ i) :|: D') (col i).
    by case: (separated_not_in_span indep meet0 in_D).
  exists d => _ j in_DD'; have [->//|neq_ji] := eqVneq j i.
  by apply: d0; move: in_DD'; rewrite !inE neq_ji.
by have [d dual_d] := fin_all_exists dual; exists d => i in_D; exact: dual_d.
Qed.

(** The coloops of D alone have dual vectors. *)
Lemma coloop_dual D D' : (forall i, i \in D' -> coloop D col i) ->
  exists d : I -> X -> R, forall i j, i \in D' -> j \in D -> dot (d i) (col j) = (j == i)%:R.
Proof.
move=> coloops.
have dual i : exists d, i \in D' -> forall j, j \in D -> dot d (col j) = (j == i)%:R.
  have [in_D'|_] := boolP (i \in D'); last by exists (fun=> 0).
  have [/(coloops i in_D')//|[d d0 d1]] := span_or_dual (D :\ i) (col i).
  exists d => _ j in_D; have [->//|neq_ji] := eqVneq j i.
  by apply: d0; rewrite !inE neq_ji.
have [d dual_d] := fin_all_exists dual; exists d => i j in_D'; exact: dual_d.
Qed.

Lemma independent_dual D : independent D col ->
  exists d : I -> X -> R, forall i j, i \in D -> j \in D -> dot (d i) (col j) = (j == i)%:R.
Proof. by move=> indep; apply: coloop_dual => i; exact: independent_coloop. Qed.

(** Dual vectors of the columns of D on D and D' are what D's being independent and apart from D' comes to; *)
Lemma separated_dualP D D' : [disjoint D & D'] -> independent D col /\ spans_meet_in_0 D D' col <->
  exists d : I -> X -> R, forall i, i \in D -> forall j, j \in D :|: D' -> dot (d i) (col j) = (j == i)%:R.
Proof.
move=> apart; split=> [[indep meet0]|[d dual]]; first exact: separated_dual.
have coeff (f : I -> R) i : i \in D -> dot (d i) (fun z => \sum_(k in D) f k * col k z) = f i.
  move=> iD; rewrite dot_sum (bigD1 i) //= dual ?in_setU ?iD // eqxx mulr1 big1 ?addr0 // => k /andP[kD /negbTE neq].
  by rewrite dual ?in_setU ?kD // neq mulr0.
split=> [f zero i iD|v [f eq_f] [f' eq_f'] z].
  by rewrite -(coeff f i iD); apply: big1 => z _; rewrite zero mulr0.
rewrite eq_f big1 // => i iD; have <- : dot (d i) v = f i by rewrite -(coeff f i iD); exact: eq_dot.
rewrite (eq_dot (frefl _) eq_f') dot_sum big1 ?mul0r // => k kD'; rewrite dual ?in_setU ?kD' ?orbT //.
by case: eqP => [eq_k|_]; [have := disjointFr apart iD; rewrite -eq_k kD' | rewrite mulr0].
Qed.

(** and so is that combinations of both that are 0 have the coefficients 0 in D. *)
Lemma separated_nullP D D' : [disjoint D & D'] -> independent D col /\ spans_meet_in_0 D D' col <->
  forall v : I -> R, (forall i, i \notin D :|: D' -> v i = 0) -> (forall z, \sum_i col i z * v i = 0) ->
  forall i, i \in D -> v i = 0.
Proof.
move=> apart; apply: (iff_trans (separated_dualP apart)); split=> [[d dual] v out zero i iD|none].
  have : dot (d i) (fun z => \sum_k v k * col k z) = 0.
    by apply: big1 => z _; rewrite (eq_bigr (fun k => col k z * v k)) ?zero ?mulr0 // => k _; exact: mulrC.
  rewrite dot_sum (bigD1 i) //= dual ?in_setU ?iD // eqxx mulr1 big1 ?addr0 // => k /negbTE neq.
  by have [/(dual i iD)->|/out->] := boolP (k \in D :|: D'); rewrite ?neq ?mulr0 ?mul0r.
have coloops i : i \in D -> coloop (D :|: D') col i.
  move=> iD [c eq_c]; pose v k := if k == i then -1 else if k \in D :|: D' then c k else 0.
  have : v i = 0; last by rewrite /v eqxx => /eqP; rewrite oppr_eq0 oner_eq0.
  apply: (none v) => // [k kD|z].
    by rewrite /v (negbTE kD); case: eqP kD => // ->; rewrite in_setU iD.
  rewrite (bigD1 i) //= {1}/v eqxx mulrN1 eq_c; apply/eqP; rewrite addrC subr_eq0; apply/eqP.
  rewrite big_mkcond [RHS]big_mkcond; apply: eq_bigr => k _; rewrite in_setD1 /v.
  by case: eqP => //= _; case: ifP => _; rewrite ?mulr0 // mulrC.
by have [d dual] := coloop_dual coloops; exists d => i iD k kD; exact: dual.
Qed.

End Spans.
