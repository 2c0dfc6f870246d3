(** Rules of the certificate format: scores (section 2), agreement and one label (section 5), one head (section 7). *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules proofs.paths proofs.linear
  proofs.message_passing proofs.entered proofs.theorems_3.

(** ** Section 2 *)

Theorem rule_input : statement_rule_input. Proof. by move=> R H X m z y; split=> //; exact: probE. Qed.

Theorem rule_task : statement_rule_task.
Proof.
move=> R H X m K mu x P_gt0; apply: (label_scale_eq (r := (P_X m x)^-1)); first by rewrite invr_gt0.
move=> l; rewrite /dot mulr_sumr; apply: eq_bigr => h _.
by rewrite posterior0 /task_rows [RHS]mulrC !mulrA.
Qed.

(** A head on W (w o beta) / ||w o beta||_1, where the norm is not 0 or that vector is 0. *)
Lemma head_label (R : realFieldType) (H X : finType) (m : hmm R H X) K (b : 'I_K.+1 -> X -> R) (w : H -> R) x
    (g : X -> R) : (forall h, 0 <= w h) ->
  (forall z, g z = (\sum_h emit m z h * (w h * beta m (embed m x) h)) / \sum_h w h * beta m (embed m x) h) ->
  linear_head b g = label_at m (head_rows m b w) x.
Proof.
move=> w0 eq_g; pose s := \sum_h w h * beta m (embed m x) h.
have wb0 h : 0 <= w h * beta m (embed m x) h by rewrite mulr_ge0 ?beta_ge0 //; exact: nonneg_embed.
have eq_head l : dot (b l) g = dot (head_rows m b w l) (beta_of m x) / s.
  rewrite (eq_dot (fun=> erefl) eq_g) dot_div dot_emission; congr (_ / _); apply: eq_bigr => h _.
  by rewrite mulrC mulrA.
have [s0|s_neq0] := eqVneq s 0.
  apply: label_ext => l; rewrite eq_head s0 invr0 mulr0 /dot big1 // => h _.
  have /eqP := s0; rewrite psumr_eq0 // => /allP/(_ h); rewrite mem_index_enum => /(_ isT)/eqP wb_eq0.
  by rewrite -mulrA wb_eq0 mulr0.
apply: (label_scale_eq (r := s^-1)) => [|l]; last by rewrite eq_head mulrC.
by rewrite invr_gt0 lt_neqAle eq_sym s_neq0 sumr_ge0.
Qed.

Theorem rule_head : statement_rule_head.
Proof. move=> R H X m K b E x; apply: head_label => [h|z]; [exact: P_H_ge0 | exact: G_first]. Qed.

Theorem rule_prompted_head : statement_rule_prompted_head.
Proof.
move=> R H X m K u b E x u01; apply: head_label => [h|z]; first exact: (after_prompt_ge0 m).
exact: Gbar_prompt.
Qed.

(** ** Section 5: trees *)

Section Trees.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat).
Implicit Types (f d : 'I_K.+1 -> H -> R) (p q : H -> R) (y : seq X) (z : X).

Lemma dot_step q z y : dot q (beta_of m (z :: y)) = dot (step m z q) (beta_of m y).
Proof.
rewrite /dot [LHS](alpha_beta m q [:: e m z] (embed m y)).
by apply: eq_bigr => h _; rewrite /= [next _ _ _ * _]mulrC.
Qed.

Lemma label_at_step f z y : label_at m f (z :: y) = label_at m (fun l => step m z (f l)) y.
Proof. by apply: label_ext => l; exact: dot_step. Qed.

Lemma beta_of_ge0 y h : 0 <= beta_of m y h. Proof. by apply: beta_ge0; exact: nonneg_embed. Qed.

Lemma step_ge0 z q : (forall h, 0 <= q h) -> forall h, 0 <= step m z q h.
Proof. by move=> q0 h; rewrite mulr_ge0 ?emit_ge0 // next_ge0. Qed.

(** The score of the empty word. *)
Lemma label_at_nil f : label_at m f [::] = label (fun l => \sum_h f l h).
Proof. by apply: label_ext => l; apply: eq_bigr => h _; exact: mulr1. Qed.

(** A row that is nowhere less, and greater where p > 0, gives the label wherever p'beta > 0. *)
Lemma settles_label l f p y : (forall h, 0 <= p h) -> settles l f p -> 0 < dot p (beta_of m y) -> label_at m f y = l.
Proof.
move=> p0 settled pos; apply/labelP/forallP => k.
have le_kl : dot (f k) (beta_of m y) <= dot (f l) (beta_of m y).
  by apply: ler_sum => h _; rewrite ler_wpmul2r ?beta_of_ge0 //; exact: (settled k h).1.
have [le_index|lt_lk] := leqP k l; first by rewrite andbT orbC -le_eqVlt.
rewrite andbF orbF -subr_gt0 -dotB sum_gt0 => [|h]; last by rewrite mulr_ge0 ?beta_of_ge0 // subr_ge0 (settled k h).1.
move: pos; rewrite sum_gt0 => [/existsP[h]|h]; last by rewrite mulr_ge0 ?beta_of_ge0.
have [->|nz] := eqVneq (beta_of m y h) 0; first by rewrite mulr0 ltxx.
have beta_gt0 : 0 < beta_of m y h by rewrite lt_neqAle eq_sym nz beta_of_ge0.
rewrite pmulr_lgt0 // => p_gt0; apply/existsP; exists h; rewrite mulr_gt0 // subr_gt0; exact: (settled k h).2.
Qed.

(** Scores whose differences are those of f times c give the same label. *)
Lemma difference_label c f (g : 'I_K.+1 -> H -> R) y : 0 < c ->
  (forall l, dot (difference c f g l) (beta_of m y) = 0) -> label_at m f y = label_at m g y.
Proof.
move=> c0 vanish; pose s (f' : 'I_K.+1 -> H -> R) l := dot (f' l) (beta_of m y).
have eq_s l : s g l = c * s f l + (s g ord0 - c * s f ord0).
  have := vanish l; rewrite /difference !dotB.
  have -> : dot (fun h => c * (f l h - f ord0 h)) (beta_of m y) = c * (s f l - s f ord0).
    by rewrite dotC dot_scale dotC dotB.
  rewrite -/(s g l) -/(s g ord0) => /eqP; rewrite subr_eq0 subr_eq => /eqP->.
  by rewrite mulrBr -!addrA; congr (_ + _); rewrite addrC.
by rewrite /label_at -/(s f) -/(s g) (label_ext eq_s) label_shift label_scale.
Qed.

(** A settled node speaks for all continuations. *)
Lemma agree_continues root f (g : 'I_K.+1 -> H -> R) p (t : tree R X K) y : (forall h, 0 <= p h) ->
  agree m root f g p t -> ~~ root || (y != [::]) -> 0 < dot p (beta_of m y) -> label_at m f y = label_at m g y.
Proof.
move=> p0; elim: t root f g p p0 y => [child IH|//|l|c] root f g p p0 y /=.
- move=> [here below]; case: y => [|z y] not_empty pos.
    rewrite !label_at_nil; apply: here; first by rewrite orbF in not_empty.
    by move: pos; rewrite /dot; under eq_bigr do rewrite mulr1.
  rewrite !label_at_step; apply: IH (below z) _ _ => //; first exact: step_ge0.
  by rewrite -dot_step.
- by move=> none _; rewrite [dot _ _]big1 ?ltxx // => h _; rewrite none mul0r.
- by move=> [sf sg] _ pos; rewrite (settles_label p0 sf pos) (settles_label p0 sg pos).
- by move=> [c0 eq0] _ _; apply: (difference_label c0) => l; apply: big1 => h _; rewrite eq0 mul0r.
Qed.

Lemma constant_continues l root f p (t : tree R X K) y : (forall h, 0 <= p h) -> constant m l root f p t ->
  ~~ root || (y != [::]) -> 0 < dot p (beta_of m y) -> label_at m f y = l.
Proof.
move=> p0; elim: t root f p p0 y => [child IH||k|//] root f p p0 y /=.
- move=> [here below]; case: y => [|z y] not_empty pos.
    rewrite label_at_nil; apply: here; first by rewrite orbF in not_empty.
    by move: pos; rewrite /dot; under eq_bigr do rewrite mulr1.
  rewrite label_at_step; apply: IH (below z) _ _ => //; first exact: step_ge0.
  by rewrite -dot_step.
- by move=> none _; rewrite [dot _ _]big1 ?ltxx // => h _; rewrite none mul0r.
- by move=> [_ settled] _ pos; exact: settles_label settled pos.
Qed.

Lemma init_ge0 h : 0 <= init m h. Proof. exact: (proj1 (init_law m)). Qed.

Lemma P_X_dot y : P_X m y = dot (init m) (beta_of m y). Proof. exact: probE. Qed.

(** ** Section 5: spans *)

Variables (I : finType) (D : H -> {set I}) (basis : H -> I -> H -> R).

(** A linear map takes a span into whatever holds its basis. *)
Lemma in_span_map h g z (v : H -> R) : let map (w : H -> R) h' := \sum_g' trans m g' h' * (emit m z g' * w g') in
  (forall i, i \in D g -> in_span (D h) (basis h) (map (basis g i))) -> in_span (D g) (basis g) v ->
  in_span (D h) (basis h) (map v).
Proof.
move=> map each [c eq_v].
have each_c i : exists c', i \in D g -> forall h', map (basis g i) h' = \sum_(k in D h) c' k * basis h k h'.
  by have [/each[c' eq_c']|_] := boolP (i \in D g); [exists c' | exists (fun=> 0)].
have [c' eq_c'] := fin_all_exists each_c.
exists (fun k => \sum_(i in D g) c i * c' i k) => h'.
rewrite (eq_bigr (fun k => \sum_(i in D g) c i * (c' i k * basis h k h'))) => [|k _]; last first.
  by rewrite mulr_suml; apply: eq_bigr => i _; rewrite mulrA.
rewrite exchange_big /= (eq_bigr (fun i => c i * map (basis g i) h')) => [|i iD]; last by rewrite eq_c' // mulr_sumr.
rewrite /map; under eq_bigr do rewrite eq_v !mulr_sumr.
rewrite exchange_big; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => g' _.
rewrite [emit m z g' * _]mulrCA; exact: mulrCA.
Qed.

Lemma dot_map_eq0 (q : H -> R) g z (v : H -> R) :
  let map (w : H -> R) h' := \sum_g' trans m g' h' * (emit m z g' * w g') in
  (forall i, i \in D g -> dot q (map (basis g i)) = 0) -> in_span (D g) (basis g) v -> dot q (map v) = 0.
Proof.
move=> map each [c eq_v].
rewrite (eq_dot (q' := fun h' => \sum_(i in D g) c i * map (basis g i) h') (fun=> erefl)) => [|h'].
  by rewrite dot_sum big1 // => i iD; rewrite each ?mulr0.
rewrite /map; under eq_bigr do rewrite eq_v !mulr_sumr.
rewrite exchange_big; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => g' _.
rewrite [emit m z g' * _]mulrCA; exact: mulrCA.
Qed.

(** Where beta(z y) is positive it is so through a state that h leads to. *)
Lemma beta_of_gt0 z y h : 0 < beta_of m (z :: y) h -> exists2 g, 0 < trans m g h * emit m z g & 0 < beta_of m y g.
Proof.
rewrite /beta_of /= sum_gt0 => [/existsP[g]|g]; last first.
  by rewrite mulr_ge0 ?trans_ge0 // mulr_ge0 ?emit_ge0 //; exact: beta_of_ge0.
have AW0 : 0 <= trans m g h * emit m z g by rewrite mulr_ge0 ?trans_ge0 ?emit_ge0.
rewrite mulrA => pos; exists g; rewrite lt_neqAle eq_sym ?AW0 ?beta_of_ge0 andbT.
  by apply: contraTneq pos => eq0; rewrite /e eq0 mul0r ltxx.
by apply: contraTneq pos => eq0; rewrite eq0 mulr0 ltxx.
Qed.

Lemma beta_in_span d y h : spans_vanish m D basis d -> 0 < beta_of m y h -> in_span (D h) (basis h) (beta_of m y).
Proof.
move=> [ones closed]; elim: y h => [|z y IH] h pos; first exact: ones.
have [g AW_gt0 /IH in_g] := beta_of_gt0 pos.
by apply: in_span_map in_g => i iD; exact: (closed g h z i AW_gt0 iD).1.
Qed.

End Trees.

Theorem rule_step : statement_rule_step. Proof. by move=> R H X m f z y; exact: dot_step. Qed.

Theorem rule_tree : statement_rule_tree.
Proof.
move=> R H X m K f g t valid x [not_empty pos].
by apply: (agree_continues (init_ge0 m) valid not_empty); rewrite -P_X_dot.
Qed.

Theorem rule_spans : statement_rule_spans.
Proof.
move=> R H X m K I D basis d spans x [not_empty pos] l; case: x not_empty pos => // z y _.
rewrite P_X_dot sum_gt0 => [/existsP[h]|h]; last by rewrite mulr_ge0 ?init_ge0 ?beta_of_ge0.
have [->|init_neq0] := eqVneq (init m h) 0; first by rewrite mul0r ltxx.
have init_gt0 : 0 < init m h by rewrite lt_neqAle eq_sym init_neq0 init_ge0.
rewrite pmulr_rgt0 // => /beta_of_gt0[g AW_gt0 /(beta_in_span spans) in_g].
by apply: dot_map_eq0 in_g => i iD; exact: (spans.2 g h z i AW_gt0 iD).2.
Qed.

Theorem rule_equal_on_spans : statement_rule_equal_on_spans.
Proof.
move=> R H X m K I D basis c f g c0 spans x x_in; apply: (difference_label c0) => l.
exact: (rule_spans spans x_in).
Qed.

Theorem rule_pivots : statement_rule_pivots.
Proof.
move=> R H I D basis pivot v reduced; split=> [[c eq_v] h|eq_v]; last by exists (fun i => v (pivot i)).
rewrite eq_v; apply: eq_bigr => i iD; congr (_ * _).
rewrite eq_v (bigD1 i) //= reduced // eqxx mulr1 big1 ?addr0 // => k /andP[kD /negbTE neq_ki].
by rewrite reduced // neq_ki mulr0.
Qed.

Theorem rule_agreement : statement_rule_agreement.
Proof.
move=> R H X m K mu b f g valid E x x_in; rewrite rule_task ?rule_head; last exact: x_in.2.
case: valid => [[t valid]|[I [D [basis [c [c0 spans]]]]]]; first exact: rule_tree valid _ x_in.
exact: rule_equal_on_spans c0 spans _ x_in.
Qed.

Theorem rule_prompted_agreement : statement_rule_prompted_agreement.
Proof.
move=> R H X m K mu u b u01 f g valid E x x_in; rewrite rule_task ?rule_prompted_head //; last exact: x_in.2.
case: valid => [[t valid]|[I [D [basis [c [c0 spans]]]]]]; first exact: rule_tree valid _ x_in.
exact: rule_equal_on_spans c0 spans _ x_in.
Qed.

Theorem rule_one_label : statement_rule_one_label.
Proof.
move=> R H X m K mu s l t valid rows x x_in; have [not_empty pos] := x_in; rewrite rule_task //.
have <- : label_at m s x = l by apply: (constant_continues (init_ge0 m) valid not_empty); rewrite -P_X_dot.
case: rows => [eq_rows|[I [D [basis spans]]]]; last exact: rule_equal_on_spans ltr01 spans _ x_in.
by apply: label_ext => k; apply: eq_dot => // h; rewrite eq_rows.
Qed.

(** ** Section 7 *)

Theorem rule_mislabelled : statement_rule_mislabelled.
Proof.
move=> R H X m K mu u b E x [_ pos]; rewrite rule_task // rule_head; split=> // u01.
by rewrite rule_prompted_head.
Qed.
