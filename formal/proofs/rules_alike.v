(** Rules of the certificate format: prompts and attention heads that do not exist, by inputs that are alike
    (section 11). *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory statements.rules
  statements.rules_memory proofs.paths proofs.linear proofs.message_passing proofs.memory_laws proofs.attention
  proofs.rules_refutation proofs.rules_attention.

(** ** Sums of columns that are alike have the same direction *)

Section Directions.

Variables (R : realFieldType) (T X : finType) (P : pred T) (A B : T -> X -> R) (w r : T -> R).
Hypotheses (w0 : forall f, 0 <= w f) (B0 : forall f z, 0 <= B f z).
Hypothesis AB : forall f, P f -> 0 < r f /\ forall z, A f z = r f * B f z.
Notation num C z := (\sum_(f | P f) w f * C f z).
Notation mass C := (\sum_z num C z).

Lemma mass0 : mass B = 0 <-> mass A = 0.
Proof.
have A_ge0 z f : P f -> 0 <= w f * A f z.
  by move=> /AB[r0 ->]; apply: mulr_ge0 => //; apply: mulr_ge0 => //; exact: ltW.
have none C : (forall z f, P f -> 0 <= w f * C f z) -> mass C = 0 <-> forall z f, P f -> w f * C f z = 0.
  move=> C0; split=> [/eqP|none]; last by apply: big1 => z _; apply: big1 => f; exact: none.
  rewrite psumr_eq0 => [/allP zero z f Pf|z _]; last by apply: sumr_ge0 => f; exact: C0.
  have /implyP/(_ isT) := zero z (mem_index_enum z); rewrite psumr_eq0; last by move=> f'; exact: C0.
  by move=> /allP/(_ f (mem_index_enum f))/implyP/(_ Pf)/eqP.
rewrite !none //; last by move=> z f _; apply: mulr_ge0.
split=> zero z f Pf; have [r0 eqA] := AB Pf; first by rewrite eqA mulrCA zero ?mulr0.
have /eqP := zero z f Pf; rewrite eqA mulrCA mulf_eq0 gt_eqF //= => /eqP; exact.
Qed.

Hypothesis one : (forall f g, r f = r g) \/ exists (s : T -> R) (v : X -> R), forall f z, P f -> B f z = s f * v z.

Lemma same_direction z : num A z / mass A = num B z / mass B.
Proof.
have [A_0|A_nz] := eqVneq (mass A) 0; first by rewrite A_0 (mass0.2 A_0) !invr0 !mulr0.
have B_nz : mass B != 0 by apply: contraNneq A_nz => /mass0->.
apply/eqP; rewrite eqr_div //; apply/eqP.
case: one => [same|[s [v eqB]]].
  have [f0 _|none] := pickP P; last first.
    have num0 C : num C z = 0 by rewrite big_pred0.
    by rewrite (num0 A) (num0 B) !mul0r.
  have eq_num y : num A y = r f0 * num B y.
    by rewrite mulr_sumr; apply: eq_bigr => f Pf; rewrite (AB Pf).2 mulrCA (same f f0).
  by rewrite eq_num (eq_bigr _ (fun y _ => eq_num y)) -mulr_sumr -mulrA mulrCA.
have numB y : num B y = (\sum_(f | P f) w f * s f) * v y.
  by rewrite mulr_suml; apply: eq_bigr => f Pf; rewrite eqB // mulrA.
have numA y : num A y = (\sum_(f | P f) w f * (r f * s f)) * v y.
  by rewrite mulr_suml; apply: eq_bigr => f Pf; rewrite (AB Pf).2 eqB // !mulrA.
rewrite numA numB (eq_bigr _ (fun y _ => numA y)) (eq_bigr _ (fun y _ => numB y)) -!mulr_sumr.
by rewrite mulrACA [RHS]mulrACA; congr (_ * _); rewrite mulrC.
Qed.

End Directions.

Section Alike.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Notation Hbar := (full N M S).
Notation bar := (hbar m).
Implicit Types (u : letter R Hbar) (x : seq X) (f g : Hbar) (v : seq (letter R Hbar)).
Notation possible f := (0 < P_H bar 1 f).
Notation at_state f := (fun g : Hbar => (g == f)%:R : R).

(** ** tauhat_i(x) is linear in u *)

Lemma next_sum (P : pred Hbar) (w : Hbar -> R) (p : Hbar -> Hbar -> R) g :
  next bar (fun h => \sum_(f | P f) w f * p f h) g = \sum_(f | P f) w f * next bar (p f) g.
Proof.
rewrite /next; under eq_bigr do rewrite mulr_sumr.
rewrite exchange_big; apply: eq_bigr => f _; rewrite mulr_sumr; apply: eq_bigr => h _; exact: mulrCA.
Qed.

Lemma alpha_sum (P : pred Hbar) (w : Hbar -> R) (p : Hbar -> Hbar -> R) v g :
  alpha bar (fun h => \sum_(f | P f) w f * p f h) v g = \sum_(f | P f) w f * alpha bar (p f) v g.
Proof.
elim: v p => //= l v IH p; rewrite -IH; apply: alpha_ext => h.
by rewrite next_sum mulr_suml; apply: eq_bigr => f _; rewrite mulrA.
Qed.

Lemma tau_cut u x1 z x2 g :
  tau bar (ehat m u (x1 ++ z :: x2)) (size x1).+2 g = around bar (u :: embed bar x1) (embed bar x2) g.
Proof.
rewrite -(tau_around bar (u :: embed bar x1) (e bar z) (embed bar x2)) /= size_map.
by rewrite -[embed bar x1 ++ _]/(embed bar x1 ++ embed bar (z :: x2)) -embed_cat.
Qed.

Lemma tau_first u x g : tau bar (ehat m u x) 1 g = around bar [::] (embed bar x) g.
Proof. exact: (tau_around bar [::] u (embed bar x)). Qed.

Lemma tau_ge0 u x i g : (forall h, 0 <= u h) -> (i <= size x)%N -> 0 <= tau bar (ehat m u x) i.+1 g.
Proof.
move=> u0; case: i => [_|i lt_i].
  by rewrite tau_first; apply: around_ge0; [exact: (nonneg_embed bar [::]) | exact: nonneg_embed].
have [x1 [z [x2 [-> [->]]]]] := @cut X x i.+1 lt_i; rewrite tau_cut around_ge0 //; last exact: nonneg_embed.
by apply: cons_nonneg => //; exact: nonneg_embed.
Qed.

Lemma some_possible : exists f, possible f.
Proof.
apply/existsP; apply: contraT => /existsPn none.
have : \sum_f P_H bar 1 f = 1.
  by rewrite (eq_bigr _ (fun f _ => P_H1 m f)) sum_next (proj2 (init_law bar)).
rewrite big1 => [/esym/eqP|f _]; first by rewrite oner_eq0.
by apply/eqP; have := none f; rewrite lt_neqAle P_H_ge0 andbT negbK eq_sym.
Qed.

(** Behind u the columns after the prompt have the weights u[f]. *)
Lemma tau_tokens u x i g : (i < size x)%N -> tau bar (ehat m u x) i.+2 g =
  \sum_(f | possible f) u f * tau bar (ehat m (at_state f) x) i.+2 g.
Proof.
move=> lt_i; have [x1 [z [x2 [-> [->]]]]] := @cut X x i.+1 lt_i.
under eq_bigr do rewrite tau_cut; rewrite tau_cut /around /=.
under eq_bigr do rewrite mulrA; rewrite -mulr_suml; congr (_ * _).
rewrite -next_sum; apply: next_ext => h; rewrite -alpha_sum; apply: alpha_ext => h'.
rewrite -P_H1; have [pos|/negbTE not_pos] := boolP (possible h').
  rewrite (bigD1 h') //= eqxx mulr1 mulrC big1 ?addr0 // => f /andP[_ neq].
  by rewrite eq_sym (negbTE neq) !mulr0.
have -> : P_H bar 1 h' = 0.
  by apply/eqP; move: not_pos; rewrite lt_neqAle P_H_ge0 andbT eq_sym => /negbFE.
by rewrite mul0r big1 // => f _; rewrite mul0r mulr0.
Qed.

(** The output before the first token is the same behind all prompts. *)
Lemma tau_columns u i : (forall h, 0 <= u h) -> exists2 w : Hbar -> R, forall f, 0 <= w f &
  forall x g, (i <= size x)%N ->
  tau bar (ehat m u x) i.+1 g = \sum_(f | possible f) w f * tau bar (ehat m (at_state f) x) i.+1 g.
Proof.
move=> u0; case: i => [|i]; last by exists u => // x g; exact: tau_tokens.
have [f0 pos] := some_possible; exists (at_state f0) => [f|x g _]; first exact: ler0n.
rewrite (bigD1 f0) //= eqxx mul1r big1 ?addr0 => [|f /andP[_ /negbTE->]]; last by rewrite mul0r.
by rewrite !tau_first.
Qed.

Lemma prompt_column_ge0 x i f z : (i <= size x)%N -> 0 <= prompt_column m x i f z.
Proof.
move=> le_i; apply: sumr_ge0 => g _; rewrite mulr_ge0 ?(proj1 (memit_law m _)) // tau_ge0 // => h.
exact: ler0n.
Qed.

(** The output behind u, by the columns of Z_i(x). *)
Lemma output_weights u (w : Hbar -> R) x i z : (forall h, 0 <= u h) -> (i <= size x)%N ->
  (forall g, tau bar (ehat m u x) i.+1 g = \sum_(f | possible f) w f * tau bar (ehat m (at_state f) x) i.+1 g) ->
  prompted_output m u x i.+1 z = (\sum_(f | possible f) w f * prompt_column m x i f z) /
  \sum_z' \sum_(f | possible f) w f * prompt_column m x i f z'.
Proof.
move=> u0 le_i tauE.
have colE y : \sum_(f | possible f) w f * prompt_column m x i f y =
    \sum_g memit m y (read g) * tau bar (ehat m u x) i.+1 g.
  under eq_bigr do rewrite mulr_sumr; rewrite exchange_big; apply: eq_bigr => g _.
  by rewrite tauE // mulr_sumr; apply: eq_bigr => f _; rewrite mulrCA.
rewrite /prompted_output memory_Gbar_output => [|g]; last exact: tau_ge0.
rewrite /output colE (eq_bigr _ (fun y _ => colE y)) exchange_big; congr (_ / _); apply: eq_bigr => g _.
by rewrite -mulr_suml (proj2 (memit_law m _)) mul1r.
Qed.

Lemma output_columns u i : (forall h, 0 <= u h) -> exists2 w : Hbar -> R, forall f, 0 <= w f &
  forall x z, (i <= size x)%N -> prompted_output m u x i.+1 z = (\sum_(f | possible f) w f * prompt_column m x i f z) /
  \sum_z' \sum_(f | possible f) w f * prompt_column m x i f z'.
Proof.
by move=> u0; have [w w0 tauE] := tau_columns i u0; exists w => // x z le_i; apply: output_weights => // g; exact: tauE.
Qed.

(** So outputs behind u are the same for inputs that are alike, and 0 where Z_i is 0. *)
Lemma alike_output u x' x i : (forall h, 0 <= u h) -> alike m x' x -> (i <= size x')%N ->
  prompted_output m u x i.+1 =1 prompted_output m u x' i.+1.
Proof.
move=> u0 [eq_size all_alike] le_i z; have [w w0 outE] := output_columns i u0.
have [r AB one] := all_alike i le_i.
rewrite !outE ?eq_size //; apply: (same_direction (r := r)) => // f y; exact: prompt_column_ge0.
Qed.

Lemma output_eq0 u x i z : (forall h, 0 <= u h) -> (i <= size x)%N ->
  (forall f y, possible f -> prompt_column m x i f y = 0) -> prompted_output m u x i.+1 z = 0.
Proof.
move=> u0 le_i zero; have [w w0 ->] := output_columns i u0 => //.
by rewrite big1 ?mul0r // => f pos; rewrite zero ?mulr0.
Qed.

End Alike.

(** ** The rule *)

Section Heads.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (u : letter R (full N M S)) (a : attention R N M S X K) (x' : seq X).
Hypothesis u0 : forall g, 0 <= u g.
Notation outputs := (prompted_output m u x').
Notation I := (attended a (size x').+1 outputs).

Lemma alike_score x i : alike m x' x -> (i <= size x')%N ->
  attention_score a (prompted_output m u x) i.+1 = attention_score a outputs i.+1.
Proof. by move=> eq_x le_i; rewrite !key_scoreE (eq_dot (frefl _) (alike_output u0 eq_x le_i)). Qed.

(** A head attends to the same set for all inputs that are alike. *)
Lemma alike_attended x : alike m x' x -> attended a (size x').+1 (prompted_output m u x) = I.
Proof.
move=> eq_x; apply/setP => i; rewrite !inE; apply: eq_forallb => k.
by rewrite !alike_score // -ltnS ltn_ord.
Qed.

(** The embedding at position i, but for what does not depend on the token. *)
Definition common i : cell_state N M S -> R := if i is 0%N then phi u else free.

Lemma prompted_embedding_common x i c : (i <= size x)%N ->
  prompted_embedding m u x i.+1 c = common i c * token_embedding m x i c.
Proof.
rewrite /prompted_embedding /letter_at /token_embedding /=; case: i => [|i] lt_i /=; first by rewrite mulr1.
case: x lt_i => // z0 x lt_i; rewrite mul1r /eta_embed (nth_map z0) // (nth_map z0) //; exact: (phi_eta m).
Qed.

(** Values are linear in the token's embedding, with rows that are the same for inputs that are alike. *)
Definition value_row l (p : 'I_(size x').+1 * cell_state N M S) : R :=
  if p.1 \in I then \sum_z value a p.2 z * (rows a l p.2 * common p.1 p.2) * outputs p.1.+1 z else 0.
Definition total l x : R := dot (value_row l) (fun p => token_embedding m x p.1 p.2).

Lemma alike_value x l (i : 'I_(size x').+1) : alike m x' x -> i \in I ->
  attention_value a (prompted_output m u x) (prompted_embedding m u x) l i.+1 =
  \sum_c value_row l (i, c) * token_embedding m x i c.
Proof.
move=> eq_x iI; have le_i : (i <= size x')%N by rewrite -ltnS ltn_ord.
rewrite valueE (eq_dot (frefl _) (alike_output u0 eq_x le_i)) /dot /value_vector.
under eq_bigr do rewrite mulr_suml; rewrite exchange_big; apply: eq_bigr => c _.
rewrite /value_row iI mulr_suml; apply: eq_bigr => z _ /=.
rewrite prompted_embedding_common; last by have [-> _] := eq_x.
by rewrite [RHS]mulrAC !mulrA.
Qed.

Lemma label_alike x : alike m x' x ->
  attention_head a (size x).+1 (prompted_output m u x) (prompted_embedding m u x) = label (total^~ x).
Proof.
move=> eq_x; have [-> _] := eq_x; have [i iP] := attended_exists a outputs (ltn0Sn (size x')).
apply: (label_scale_eq (r := #|I|%:R^-1)) => [|l].
  by rewrite invr_gt0 ltr0n; apply/card_gt0P; exists i.
rewrite /attn alike_attended // mulrC; congr (_ * _).
rewrite /total /dot -(pair_bigA _ (fun i c => value_row l (i, c) * token_embedding m x (val i) c)) /= big_mkcond.
apply: eq_bigr => k _; case: ifPn => kI; first exact: alike_value.
by rewrite big1 // => c _; rewrite /value_row (negbTE kI) mul0r.
Qed.

End Heads.

Theorem rule_no_prompted_attention_head : statement_rule_no_prompted_attention_head.
Proof.
move=> R N M S X m K mu j Hs x' cs cs_ok zero u a u0.
have le0 : gain (memory_F_star m mu j) (total m u a x') cs <= 0.
  rewrite gain_combination big1 // => l _; rewrite big1 // => -[i c] _ /=.
  have le_i : (i <= size x')%N by rewrite -ltnS ltn_ord.
  have [/existsP[f /andP[pos /existsP[z nz]]]|none] :=
    boolP [exists f, (0 < P_H (hbar m) 1 f) && [exists z, prompt_column m x' i f z != 0]].
    by rewrite (zero i f z) ?mulr0.
  rewrite /value_row /=; case: ifP => _; last by rewrite mul0r.
  rewrite big1 ?mul0r // => y _; rewrite output_eq0 ?mulr0 // => f z pos.
  by apply/eqP; apply: contraNT none => nz; apply/existsP; exists f; rewrite pos; apply/existsP; exists z.
have [x [x_R eq_x] wrong] := no_gain cs_ok le0; exists x => //.
by rewrite (label_alike a u0 eq_x).
Qed.
