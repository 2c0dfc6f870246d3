(** What decides that functionals vanish on spans that hold every beta(x) (docs/certificate-format.md, section 5). *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules proofs.paths
  proofs.refutations_numbers proofs.linear proofs.rules_agreement checker.tables checker.models.

(** A span: v is in it where d v = sum_i v[pivots[i]] basis[i], with d > 0. *)
Record span_z := SpanZ { unit_z : Z; pivots : seq nat; basis_z : seq (seq Z) }.

(** For each state the index of its span, and the spans. *)
Record spans_z := SpansZ { span_of : seq nat; spans : seq span_z }.

Lemma sum_ord (R : realFieldType) n F : of_Z R (sum n F) = \sum_(i < n) of_Z R (F i).
Proof.
rewrite -(big_mkord xpredT (fun i => of_Z R (F i))) /index_iota subn0 /sum.
by elim: (iota 0 n) => [|i s IH]; rewrite ?big_nil //= big_cons -IH of_ZD.
Qed.

Section Decided.

Variables (T : tables) (K : nat).
Notation n := (n T).

Definition in_span_z (u : span_z) (v : seq Z) : bool :=
  (0 <? unit_z u)%coqZ && each n (fun h => unit_z u * get v h =?
    sum (size (basis_z u)) (fun i => get v (nth 0%N (pivots u) i) * get2 (basis_z u) i h))%coqZ.

Definition spread (f : seq (seq Z)) (l h : nat) : Z := (get2 f l h - get2 f 0 h)%coqZ.
Definition pairs (f g : seq (seq Z)) (v : seq Z) : seq (Z * Z) :=
  [seq (dot_z n (vec n (spread f l)) v, dot_z n (vec n (spread g l)) v) | l <- iota 0 K.+1].

Section Spans.

Variable U : spans_z.

Definition span_at (i : nat) : span_z := nth (SpanZ 0 [::] [::]) (spans U) i.
Definition span_of_state (h : nat) : span_z := span_at (nth 0%N (span_of U) h).

(** The states of the span i that emit z; one of them is led to by h. *)
Definition emitting (i z : nat) : seq nat :=
  [seq g <- iota 0 n | (nth 0%N (span_of U) g == i) && (0 <? get2 (W T) z g)%coqZ].
Definition led_to (gs : seq nat) (h : nat) : bool := has (fun g => 0 <? get2 (A T) g h)%coqZ gs.

(** A'(W[z,:] o v), for the vectors v of the span i. *)
Definition moved (i z : nat) : seq (seq Z) := [seq A_times T (emitted T z v) | v <- basis_z (span_at i)].

Definition closed_z : bool :=
  each n (fun h => nth 0%N (span_of U) h < size (spans U))%N &&
  each n (fun h => in_span_z (span_of_state h) (vec n (fun=> 1%coqZ))) &&
  each (size (spans U)) (fun i => each (c T) (fun z =>
    let hs := [seq h <- iota 0 n | led_to (emitting i z) h] in
    let js := undup [seq nth 0%N (span_of U) h | h <- hs] in
    all (fun v => all (fun j => in_span_z (span_at j) v) js) (moved i z))).
Definition begins (i z : nat) : bool := some n (fun h => (0 <? get (p0 T) h)%coqZ && led_to (emitting i z) h).
Definition pairs_on_spans (f g : seq (seq Z)) : seq (Z * Z) :=
  flatten [seq if begins i z then flatten [seq pairs f g v | v <- moved i z] else [::] |
    i <- iota 0 (size (spans U)), z <- iota 0 (c T)].

(** Rows g whose differences are those of f, times one number > 0, on every span. *)
Definition equal_on_spans_z (f g : seq (seq Z)) : bool := closed_z && proportional (pairs_on_spans f g).

End Spans.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Variables (ih : numbering H n) (ix : numbering X (c T)) (D : describes m ih ix).
Notation of_Z := (of_Z R).

Lemma spread_shows r (fr : 'I_K.+1 -> H -> R) f l h : show ih r fr f -> r * (fr l h - fr ord0 h) = of_Z (spread f (val l) (ih h)).
Proof. by move=> fE; apply: shows_B; [exact: fE | exact: (fE ord0)]. Qed.

Variable U : spans_z.
Let most := foldr maxn 0%N [seq size (basis_z u) | u <- spans U].
Let I : finType := [finType of 'I_most].
Let members (h : H) : {set I} := [set i : I | (val i < size (basis_z (span_of_state U (ih h))))%N].
Let basis (h : H) (i : I) (g : H) : R := of_Z (get2 (basis_z (span_of_state U (ih h))) (val i) (ih g)).

Lemma size_most i : (size (basis_z (span_at U i)) <= most)%N.
Proof.
rewrite /most /span_at; elim: (spans U) i => [|u us IH] [|i] //=; rewrite leq_max ?leqnn //.
by rewrite IH orbT.
Qed.

Lemma in_spanP r v vz h : 0 < r -> shows ih r v vz -> in_span_z (span_of_state U (ih h)) vz -> in_span (members h) (basis h) v.
Proof.
set u := span_of_state _ _ => r0 vE /andP[d0 /(eachP ih) eq_v].
have {}d0 : 0 < of_Z (unit_z u) by rewrite -of_Z0 of_Z_lt.
exists (fun i : I => of_Z (get vz (nth 0%N (pivots u) (val i))) / (of_Z (unit_z u) * r)) => g.
have /Z.eqb_eq eq_vg := eq_v g; apply: (mulfI (lt0r_neq0 (mulr_gt0 d0 r0))); rewrite -mulrA vE -of_ZM eq_vg sum_ord.
rewrite (big_ord_widen _ (fun i => of_Z (get vz (nth 0%N (pivots u) i) * get2 (basis_z u) i (ih g))%coqZ) (size_most _)).
rewrite mulr_sumr; apply: eq_big => [i|i _]; first by rewrite inE.
by rewrite of_ZM mulrA [_ * (_ / _)]mulrC divfK // lt0r_neq0 // mulr_gt0.
Qed.

Notation at_state g := (nth 0%N (span_of U) (ih g)).

(** A'(W[z,:] o v) of a basis vector v of U_g. *)
Lemma movedP g z (i : I) : i \in members g -> let v := nth [::] (moved U (at_state g) (ix z)) (val i) in
  (val i < size (moved U (at_state g) (ix z)))%N /\
  shows ih (of_Z (dA T) * of_Z (dW T)) (fun h' => \sum_g' trans m g' h' * (emit m z g' * basis g i g')) v.
Proof.
rewrite inE => lt_i v; rewrite size_map; split=> // h'; rewrite /v (nth_map [::]) // get_vec.
apply: (shows_sum ih) => g'; apply: shows_M; first exact: (trans_shown D).
by rewrite -[of_Z (dW T)]mulr1; apply: (emitted_shows D) => g''; rewrite mul1r.
Qed.

Lemma led_toP g h z : 0 < trans m g h -> 0 < emit m z g -> led_to (emitting U (at_state g) (ix z)) (ih h).
Proof.
move=> A_gt0 W_gt0; apply/hasP; exists (ih g); last by rewrite -(shows_gt0 (dA_gt0 D) (trans_shown D g h)).
by rewrite mem_filter mem_iota add0n number_lt eqxx -(shows_gt0 (dW_gt0 D) (emit_shown D z g)) W_gt0.
Qed.

Lemma spans_zP r f fr s g gr : 0 < r -> 0 < s -> show ih r fr f -> show ih s gr g -> equal_on_spans_z U f g ->
  exists2 q : R, 0 < q & spans_vanish (K := K) m members basis (difference (q * r / s) fr gr).
Proof.
move=> r0 s0 fE gE /andP[/andP[/andP[/(eachP ih) lt_S /(eachP ih) ones] /allP closed] /(@proportionalP R)[q q0 prop]].
exists q => //; split=> [h|g0 h z i AW_gt0 iD v1].
  by apply: in_spanP (ltr01) _ (ones h) => g0; rewrite get_vec mulr1.
have [A_gt0 W_gt0] : 0 < trans m g0 h /\ 0 < emit m z g0.
  move: AW_gt0; rewrite !lt0r (trans_law m h).1 emit_ge0 !andbT => /andP[].
  by rewrite mulf_eq0 negb_or => /andP[].
have [lt_i] := movedP z iD; set v := nth _ _ _ => v1E.
have led := led_toP A_gt0 W_gt0; have S_in : at_state g0 \in iota 0 (size (spans U)) by rewrite mem_iota lt_S.
split.
  apply: in_spanP (s_gt0 D) v1E _; have := eachP ix _ (closed _ S_in) z; move=> /(all_nthP [::])/(_ _ lt_i)/allP; apply.
  by rewrite mem_undup; apply: map_f; rewrite mem_filter led mem_iota add0n number_lt.
move=> init_gt0 l.
have /eqP : of_Z (dot_z n (vec n (spread g (val l))) v) == q * of_Z (dot_z n (vec n (spread f (val l))) v).
  have z_in : ix z \in iota 0 (c T) by rewrite mem_iota add0n number_lt.
  move: prop; rewrite /pairs_on_spans all_flatten all_pairs => /allP/(_ _ S_in)/allP/(_ _ z_in).
  rewrite (_ : begins _ _ _); last first.
    by apply/(someP ih); exists h; rewrite led -(shows_gt0 (d0_gt0 D) (init_shown D h)) init_gt0.
  rewrite all_flatten all_map => /(all_nthP [::])/(_ _ lt_i); rewrite /= all_map => /(eachP (ord_numbering K)); exact.
have sum_l F t Fr : show ih t Fr F -> t * (of_Z (dA T) * of_Z (dW T)) * dot (fun h' => Fr l h' - Fr ord0 h') v1 =
    of_Z (dot_z n (vec n (spread F (val l))) v).
  by move=> FE; apply: (dot_shows _ v1E) => h'; rewrite get_vec; exact: spread_shows.
rewrite -(sum_l _ _ _ gE) -(sum_l _ _ _ fE) => eq_gf; apply: (mulfI (lt0r_neq0 (mulr_gt0 s0 (s_gt0 D)))).
have -> : dot (difference (q * r / s) fr gr l) v1 =
    dot (fun h' => gr l h' - gr ord0 h') v1 - q * r / s * dot (fun h' => fr l h' - fr ord0 h') v1.
  by rewrite -[X in _ - _ * X]dotC -dot_scale [X in _ - X]dotC -dotB.
rewrite mulr0 mulrBr eq_gf; apply/eqP; rewrite subr_eq0 [X in _ == X]mulrACA.
by rewrite [s * _]mulrC divfK ?lt0r_neq0 // !mulrA.
Qed.

End Decided.
