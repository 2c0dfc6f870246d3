(** The attention head of theorems 4.3, 4.6 and C.6, on any outputs of laws behind which M_{j*} is in M*. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory proofs.paths
  proofs.linear proofs.message_passing proofs.memory_laws.

Lemma dot_add (R : realFieldType) (I X : finType) (P : pred I) (F : I -> X -> R) (q : X -> R) :
  dot (fun z => \sum_(i | P i) F i z) q = \sum_(i | P i) dot (F i) q.
Proof. by rewrite /dot exchange_big; apply: eq_bigr => z _; rewrite mulr_suml. Qed.

(** ** The label of an attention head *)

Section Label.

Variables (R : realFieldType) (N : nat) (M S X : finType) (K : nat).
Variables (a : attention R N M S X K) (t : nat) (g : nat -> X -> R) (emb : nat -> cell_state N M S -> R).

(** Some position has the largest score. *)
Lemma attended_exists : (0 < t)%N -> exists i, i \in attended a t g.
Proof.
move=> t0; exists [arg max_(i > Ordinal t0) attention_score a g i.+1]%O.
by rewrite inE; apply/forallP => k; case: arg_maxP => // i _; exact.
Qed.

(** Where some positions have the score c and all others less, exactly those are attended to. *)
Lemma attended_top (c : R) (D : {set 'I_t}) : D != set0 -> (forall i, i \in D -> attention_score a g i.+1 = c) ->
  (forall i, i \notin D -> attention_score a g i.+1 < c) -> attended a t g = D.
Proof.
case/set0Pn => i0 i0D top low; apply/setP => i; rewrite inE; apply/forallP/idP => [max_i|iD k].
  by apply: contraT => /low; rewrite ltNge -(top i0 i0D) max_i.
by rewrite (top i iD); have [/top->|/low/ltW] := boolP (k \in D).
Qed.

(** A mean of values gives the label of their sum. *)
Lemma label_sum : attention_head a t g emb = label (fun l => \sum_(i in attended a t g) attention_value a g emb l i.+1).
Proof.
have [none|[i iA]] := set_0Vmem (attended a t g).
  by apply: label_ext => l; rewrite /attn none !big_set0 mul0r.
apply: (label_scale_eq (r := #|attended a t g|%:R^-1)) => [|l]; last by rewrite mulrC.
by rewrite invr_gt0 ltr0n; apply/card_gt0P; exists i.
Qed.

(** Where the values of all attended positions differ in proportion to s, so do those of the head. *)
Lemma label_attn_difference (s : 'I_K.+1 -> R) : (0 < t)%N ->
  (forall i, i \in attended a t g -> exists2 r, 0 < r & forall l,
     attention_value a g emb l i.+1 - attention_value a g emb ord0 i.+1 = r * (s l - s ord0)) ->
  attention_head a t g emb = label s.
Proof.
move=> t0 each.
have each_r (i : 'I_t) : exists r, i \in attended a t g -> 0 < r /\ forall l,
    attention_value a g emb l i.+1 - attention_value a g emb ord0 i.+1 = r * (s l - s ord0).
  by have [/each[r r0 eq_r]|_] := boolP (i \in attended a t g); [exists r | exists 0].
have [r rP] := fin_all_exists each_r; have [i0 i0P] := attended_exists t0.
pose total l := \sum_(i in attended a t g) attention_value a g emb l i.+1; pose c := \sum_(i in attended a t g) r i.
have c0 : 0 < c.
  rewrite /c (bigD1 i0) //=; apply: ltr_paddr; last exact: (rP i0 i0P).1.
  by apply: sumr_ge0 => i /andP[iP _]; exact: ltW (rP i iP).1.
rewrite label_sum -[RHS](label_scale s c0) -[RHS](label_shift (total ord0 - c * s ord0)); apply: label_ext => l.
apply/eqP; rewrite addrCA -mulrBr -subr_eq0 opprD addrA subr_eq0 -sumrB mulr_suml; apply/eqP.
by apply: eq_bigr => i iP; exact: (rP i iP).2.
Qed.

Lemma label_attn (s : 'I_K.+1 -> R) : (0 < t)%N ->
  (forall i, i \in attended a t g -> exists2 r, 0 < r & forall l, attention_value a g emb l i.+1 = r * s l) ->
  attention_head a t g emb = label s.
Proof.
move=> t0 each; apply: label_attn_difference => // i /each[r r0 eq_r]; exists r => // l.
by rewrite !eq_r mulrBr.
Qed.

End Label.

(** ** The head *)

Section Laws.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Variables (j : 'I_N) (V : {set M}) (Hs : {set hidden N S}).
Implicit Types (p : full N M S -> R) (c d : cell_state N M S) (h : hidden N S) (g : full N M S).

(** The columns of H*, and all columns that can emit while M_{j*} is in M*. *)
Definition own : {set cell_state N M S} := setX V Hs.
Definition seen : {set cell_state N M S} := [set c | (c.2.1 == j) ==> (c.1 \in V)].

(** M_{j*} is in M* surely. *)
Definition within p : Prop := forall g, g.1 j \notin V -> p g = 0.

Lemma within_seen p g : within p -> p g != 0 -> read g \in seen.
Proof.
move=> in_V; rewrite inE readE; apply: contra_neqT; rewrite negb_imply => /andP[/eqP/= ->].
exact: in_V.
Qed.

(** The law of H. *)
Definition state_law p h : R := (\sum_(g | g.2 == h) p g) / \sum_g p g.

Hypothesis Hs_j : forall h, h \in Hs -> h.1 = j.
Variable dual : cell_state N M S -> X -> R.
Hypothesis dualP : forall c, c \in own -> forall d, d \in seen -> dot (dual c) (memory_column m d) = (d == c)%:R.

Lemma own_read g : g.2 \in Hs -> (read g \in own) = (g.1 j \in V).
Proof. by move=> gH; rewrite readE in_setX gH andbT (Hs_j gH). Qed.

(** ** Reading M_{j*} and H off an output *)

Lemma dot_dual p c : within p -> c \in own -> dot (dual c) (output m p) = (\sum_(g | read g == c) p g) / \sum_g p g.
Proof.
move=> in_V c_own; rewrite dot_output; congr (_ / _); rewrite [RHS]big_mkcond; apply: eq_bigr => g _.
have [->|nz] := eqVneq (p g) 0; first by rewrite mulr0 if_same.
by rewrite dualP ?(within_seen in_V) //; case: ifP; rewrite ?mul1r ?mul0r.
Qed.

(** The sum of the dual vectors of one hidden state. *)
Definition state_dual h (z : X) : R := \sum_(a in V) dual (a, h) z.

Lemma dot_state_dual p h : within p -> h \in Hs -> dot (state_dual h) (output m p) = state_law p h.
Proof.
move=> in_V hH; rewrite dot_add.
rewrite (eq_bigr (fun a => (\sum_(g | read g == (a, h)) p g) / \sum_g p g)) => [|a aV]; last first.
  by rewrite dot_dual // in_setX aV.
rewrite -mulr_suml; congr (_ / _).
rewrite [RHS](bigID (fun g => g.1 j \in V)) /= [X in _ = _ + X]big1 ?addr0 => [|g /andP[_ /in_V//]].
rewrite [RHS](partition_big (fun g => g.1 j) (mem V)) => [|g /andP[]//]; apply: eq_bigr => a aV /=.
apply: eq_bigl => g; rewrite readE xpair_eqE; have [->|_] := eqVneq g.2 h; last by rewrite andbF.
by rewrite (Hs_j hH) andbT; case: eqP => [->|_]; rewrite ?aV ?andbF.
Qed.

(** Theta1 of claims C.3 and C.10: one row more, if there is a state outside H*, makes the entries sum to 1. *)
Definition theta1 h (z : X) : R :=
  if h \in Hs then state_dual h z
  else if [pick h' | h' \notin Hs] == Some h then 1 - \sum_(h' in Hs) state_dual h' z else 0.

Lemma theta1_law p h : within p -> h \in Hs -> dot (theta1 h) (output m p) = state_law p h.
Proof. by move=> in_V hH; rewrite -dot_state_dual //; apply: eq_dot => // z; rewrite /theta1 hH. Qed.

Lemma sum_state_law p : \sum_g p g != 0 -> \sum_h state_law p h = 1.
Proof.
move=> nz; rewrite -[RHS](divff nz) -mulr_suml; congr (_ / _).
by rewrite [RHS](partition_big (fun g : full N M S => g.2) xpredT).
Qed.

Lemma state_law_ge0 p h : (forall g, 0 <= p g) -> 0 <= state_law p h.
Proof. by move=> p0; rewrite divr_ge0 ?sumr_ge0. Qed.

Lemma sum_output p : \sum_g p g != 0 -> \sum_z output m p z = 1.
Proof.
move=> nz; rewrite -mulr_suml exchange_big -[RHS](divff nz); congr (_ / _); apply: eq_bigr => g _.
by rewrite -mulr_suml (proj2 (memit_law m _)) mul1r.
Qed.

Lemma theta1_norm p : within p -> (forall g, 0 <= p g) -> \sum_g p g != 0 ->
  norm1 (fun h => dot (theta1 h) (output m p)) = 1.
Proof.
move=> in_V p0 nz; rewrite /norm1 (bigID (mem Hs)) /=.
have -> : \sum_(h in Hs) `|dot (theta1 h) (output m p)| = \sum_(h in Hs) state_law p h.
  by apply: eq_bigr => h hH; rewrite theta1_law // ger0_norm ?state_law_ge0.
rewrite -[RHS](sum_state_law nz) [RHS](bigID (mem Hs)) /=; congr (_ + _).
have theta1_rest h : h \notin Hs -> dot (theta1 h) (output m p) =
    if [pick h' | h' \notin Hs] == Some h then \sum_(h' | h' \notin Hs) state_law p h' else 0.
  move=> /negbTE hH; rewrite /theta1 hH; case: ifP => _; last by apply: big1 => z _; rewrite mul0r.
  rewrite dotB dot_add [dot (fun=> 1) _](eq_bigr (output m p)) => [|z _]; last by rewrite mul1r.
  rewrite sum_output // -(sum_state_law nz) (bigID (mem Hs)) /=.
  rewrite [X in _ - X](eq_bigr (state_law p)) => [|h' h'H]; last exact: dot_state_dual.
  by rewrite addrAC subrr add0r.
case: pickP theta1_rest => [h0 h0H|none] rest; last by rewrite !big_pred0.
rewrite (bigD1 h0) //= [X in _ + X]big1 ?addr0 => [|h /andP[hH neq]]; rewrite rest //.
  by rewrite eqxx ger0_norm // sumr_ge0 // => h _; exact: state_law_ge0.
by rewrite eq_sym (inj_eq (@Some_inj _)) (negbTE neq) normr0.
Qed.

(** ** The head: its scores are the share of H* in a law, and its values mu_l'P[M_{j*}, H in H*, X_i = z | ...] *)

Variables (K : nat) (mu : 'I_K.+1 -> M -> R) (last shift : R).

Definition head : attention R N M S X K := Attention
  (fun k => if k is Some h then (h \in Hs)%:R else last)
  (fun k => if k is Some h then theta1 h else fun=> 0)
  (fun i k => if (k == None) && (i == 1%N) then shift else 0)
  (fun c => if c \in own then dual c else fun=> 0)
  (fun l c => mu l c.1).

Lemma score_head (G : nat -> X -> R) i : attention_score head G i =
  \sum_(h in Hs) dot (state_dual h) (G i) + last * (if i == 1%N then shift else 0).
Proof.
rewrite /attention_score {1}/dot sum_option addrC /= [dot _ (G i)]big1 ?add0r => [|z _]; last by rewrite mul0r.
congr (_ + _); rewrite [RHS]big_mkcond; apply: eq_bigr => h _; rewrite addr0 /theta1.
by case: ifP; rewrite ?mul1r ?mul0r.
Qed.

(** P[H in H*]. *)
Definition share p : R := \sum_(h in Hs) state_law p h.

Lemma score_law (G : nat -> X -> R) i p : within p -> G i =1 output m p ->
  attention_score head G i = share p + last * (if i == 1%N then shift else 0).
Proof.
move=> in_V eq_G; rewrite score_head; congr (_ + _); apply: eq_bigr => h hH.
by rewrite -dot_state_dual //; exact: eq_dot.
Qed.

Lemma shareE p : share p = (\sum_(g | g.2 \in Hs) p g) / \sum_g p g.
Proof.
rewrite /share -mulr_suml; congr (_ / _); rewrite [RHS](partition_big (fun g : full N M S => g.2) (mem Hs)) //=.
by apply: eq_bigr => h hH; apply: eq_bigl => g; case: eqP => [->|]; rewrite ?hH ?andbF.
Qed.

Lemma share_ge0 p : (forall g, 0 <= p g) -> 0 <= share p. Proof. by move=> p0; rewrite shareE divr_ge0 // sumr_ge0. Qed.

Lemma share1 p : \sum_g p g != 0 -> (forall g, p g != 0 -> g.2 \in Hs) -> share p = 1.
Proof.
move=> nz in_H; rewrite shareE -[RHS](divff nz); congr (_ / _).
rewrite big_mkcond; apply: eq_bigr => g _; case: ifPn => // gH; apply/esym/eqP; apply: contraNT gH; exact: in_H.
Qed.

Lemma share_lt1 p g : (forall g, 0 <= p g) -> p g != 0 -> g.2 \notin Hs -> share p < 1.
Proof.
move=> p0 nz notH; have sum0 : 0 < \sum_g p g.
  by rewrite (bigD1 g) //= ltr_paddr ?sumr_ge0 // lt0r nz p0.
rewrite shareE ltr_pdivr_mulr // mul1r [X in _ < X](bigID (fun g => g.2 \in Hs)) /= ltr_addl.
by rewrite (bigD1 g) //= ltr_paddr ?sumr_ge0 // lt0r nz p0.
Qed.

Lemma value_law (G : nat -> X -> R) (emb : nat -> cell_state N M S -> R) l i p : within p -> G i =1 output m p ->
  attention_value head G emb l i =
    (\sum_(g : full N M S | g.2 \in Hs) mu l (g.1 j) * (emb i (read g) * p g)) / \sum_g p g.
Proof.
move=> in_V eq_G; rewrite /attention_value /=.
pose part c := \sum_(g : full N M S | (g.2 \in Hs) && (read g == c)) mu l (g.1 j) * (emb i (read g) * p g).
rewrite [LHS](eq_bigr (fun c => part c / \sum_g p g)).
  by rewrite -mulr_suml; congr (_ / _); rewrite [RHS](partition_big (@read N M S) xpredT).
rewrite {}/part => c _; case: ifP => [c_own|/negbT c_out]; last first.
  rewrite [dot _ (G i)]big1 ?mul0r ?mulr0 => [|z _]; last by rewrite mul0r.
  rewrite [X in _ = X / _]big1 ?mul0r // => g /andP[gH /eqP eq_c]; rewrite in_V ?mulr0 //.
  by rewrite -(own_read gH) eq_c.
have /setXP[_ cH] : (c.1, c.2) \in own by rewrite -surjective_pairing.
rewrite (eq_dot (frefl (dual c)) eq_G) dot_dual // mulrA [mu l c.1 * _]mulrA mulrAC; congr (_ / _).
rewrite mulr_sumr mulr_suml.
rewrite [RHS](eq_bigl (fun g => read g == c)) => [|g]; last first.
  by case: eqP => [eq_c|_]; rewrite ?andbF // andbT; move: cH; rewrite -eq_c readE.
apply: eq_bigr => g /eqP eq_c; rewrite mulrA mulrAC -eq_c; congr (_ * _ * _).
by rewrite readE; move: cH; rewrite -eq_c readE => /Hs_j/= ->.
Qed.

End Laws.

Arguments seen {N M S} j V.
