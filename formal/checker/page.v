(** What a generated file applies: models, tasks and heads written as lists of rational numbers, and a theorem for each
    part of a claim about 3.3 or 3.6. *)

From Coq Require Export QArith.
From mathcomp Require Export all_ssreflect all_algebra.
From Headproof Require Import definitions.prelude.
From Headproof Require Export definitions.hmm definitions.numbers definitions.tables statements.rules
  proofs.refutations_numbers proofs.refutations_hmm checker.tables checker.models checker.spans checker.assumptions
  checker.agreement checker.refutation checker.near_border statements.margins checker.margin.

Section Vanilla.

Variables (n c K : nat) (p : seq Q) (A W mu : seq (seq Q)).
Notation T := (tables_of n c p A W).
Notation M := (integers2 mu).
Context {valid : valid_hmm (table n c p A W)} {R : realFieldType}.
Notation m := (of_hmm_table R valid).
Notation task := (@matrix R mu K.+1 n.+1).
Notation X := (ordinal_finType c.+1).
Notation H := (ordinal_finType n.+1).

Let D := page_describes R valid.
Let mu_gt0 := common_gt0 R (flatten mu).

Lemma task_shown : show (T := T) (ord_numbering n) (of_Z R (common (flatten mu))) task M.
Proof. by move=> l h; exact: integers2_entry. Qed.

Theorem holds_3_1 e : independent_z T xpredT e -> assumption_3_1 m. Proof. exact: (independent_ok D). Qed.
Theorem fails_3_1 v : null_z T v -> ~ assumption_3_1 m. Proof. exact: (null_vector_ok D). Qed.
Theorem holds_3_2_ergodic : ergodic_z T -> irreducible m /\ aperiodic m. Proof. exact: (ergodic_ok D).2. Qed.
Theorem fails_3_2_ergodic : ~~ ergodic_z T -> ~ (irreducible m /\ aperiodic m).
Proof. by move=> /negP no /(ergodic_ok D). Qed.
Theorem holds_3_2_full_support : full_z T -> full_support m. Proof. exact: (full_ok D).2. Qed.
Theorem fails_3_2_full_support : ~~ full_z T -> ~ full_support m. Proof. by move=> /negP no /(full_ok D). Qed.
Theorem holds_3_5 B e : cover_z T K M B e -> assumption_3_5 m task. Proof. exact: (cover_ok D mu_gt0 task_shown). Qed.
Theorem fails_3_5 t : no_cover_z T K M [::] t -> ~ assumption_3_5 m task.
Proof. exact: (no_cover_ok D mu_gt0 task_shown). Qed.

Theorem has_label x l : labelled_z T K M x l -> is_input m (text c x) /\ F_star m task (text c x) = inord l.
Proof. exact: (labelled_ok D mu_gt0 task_shown). Qed.
Theorem has_one_label l t : one_label_z T K M l t -> exists l, forall x, is_input m x -> F_star m task x = l.
Proof. by move=> ok; exists (real_label K l); exact: (one_label_ok D mu_gt0 task_shown ok). Qed.
Theorem has_one_label_on_spans l s U t : one_label_on_spans_z T K M (integers2 s) U l t ->
  exists l, forall x, is_input m x -> F_star m task x = l.
Proof.
move=> ok; exists (real_label K l).
by apply: (one_label_on_spans_ok D mu_gt0 task_shown (common_gt0 R (flatten s)) (s := @matrix R s K.+1 n.+1) _ ok) => k h; exact: integers2_entry.
Qed.

(** Heads and prompts on the page. *)
Lemma head_shown b l z :
  of_Z R (common (flatten b)) * @matrix R b K.+1 c.+1 l z = of_Z R (get2 (integers2 b) (val l) (ord_numbering c z)).
Proof. exact: integers2_entry. Qed.

Definition prompt_ok (u : seq Q) : bool := all (fun i => Qle_bool 0 (entry u i) && Qle_bool (entry u i) 1) (iota 0 n.+1).

Lemma prompt_okP u : prompt_ok u -> is_prompt (@vector R u n.+1).
Proof.
move=> /(eachP (ord_numbering n)) ok h; have := ok h.
by rewrite -(of_Q_le R) -(of_Q_le R (entry u h)) of_Q0 of_Q1.
Qed.

Lemma prompt_shown u : shows (T := T) (ord_numbering n) (of_Z R (common u)) (@vector R u n.+1) (integers u).
Proof. by move=> h; exact: integers_entry. Qed.

Theorem this_head_3_3 b s : agreement_z T K M (integers2 b) (first_z T) s ->
  forall (E : X) (x : seq X), is_input m x -> F_star m task x = linear_head (@matrix R b K.+1 c.+1) (G m (E :: x) 1).
Proof. exact: (agreement_ok D mu_gt0 task_shown (common_gt0 R _) (head_shown b)). Qed.

Theorem this_head_3_6 u b s : prompt_ok u && agreement_z T K M (integers2 b) (behind_z T (integers u)) s ->
  forall (E : X) (x : seq X), is_input m x ->
  F_star m task x = linear_head (@matrix R b K.+1 c.+1) (Gbar m (@vector R u n.+1 :: embed m (E :: x)) 2).
Proof.
case/andP=> /prompt_okP u01.
exact: (prompted_agreement_ok D mu_gt0 task_shown (common_gt0 R _) (head_shown b) (common_gt0 R u) (@prompt_shown u) u01).
Qed.

Theorem not_this_head_3_3 b x : mislabelled_z T K M (integers2 b) (first_z T) x ->
  ~ forall (E : X) (x : seq X), is_input m x -> F_star m task x = linear_head (@matrix R b K.+1 c.+1) (G m (E :: x) 1).
Proof. exact: (mislabelled_ok D mu_gt0 task_shown (common_gt0 R _) (head_shown b) ord0). Qed.

Theorem not_this_head_3_6 u b x : prompt_ok u && mislabelled_z T K M (integers2 b) (behind_z T (integers u)) x ->
  ~ forall (E : X) (x : seq X), is_input m x ->
  F_star m task x = linear_head (@matrix R b K.+1 c.+1) (Gbar m (@vector R u n.+1 :: embed m (E :: x)) 2).
Proof.
case/andP=> /prompt_okP u01.
exact: (prompted_mislabelled_ok D mu_gt0 task_shown (common_gt0 R _) (head_shown b) (common_gt0 R u) (@prompt_shown u) ord0 u01).
Qed.

(** Margins. *)
Lemma fraction_gt0 en ed mu' w q t b ties : bears_z T K b en ed ties mu' w q t -> 0 < of_Z R en /\ 0 < of_Z R ed.
Proof. by case/and3P=> _ _ /and3P[en0 ed0 _]; rewrite -!of_Z0 !of_Z_lt. Qed.

Theorem this_margin_3_3 b e ties q t : bears_z T K (integers2 b) (Qnum e) (Zpos (Qden e)) ties M (first_z T) q t ->
  forall E : X, margin_claim m (@matrix R b K.+1 c.+1) (of_Q R e) ties (F_star m task) (fun x => G m (E :: x) 1) (of_Q R q).
Proof.
move=> ok; have [en0 ed0] := fraction_gt0 ok.
exact: (margin_ok D (common_gt0 R _) (head_shown b) en0 ed0 mu_gt0 task_shown ok).
Qed.

Theorem this_margin_3_6 u b e ties q t :
  prompt_ok u && bears_z T K (integers2 b) (Qnum e) (Zpos (Qden e)) ties M (behind_z T (integers u)) q t ->
  forall E : X, margin_claim m (@matrix R b K.+1 c.+1) (of_Q R e) ties (F_star m task)
    (fun x => Gbar m (@vector R u n.+1 :: embed m (E :: x)) 2) (of_Q R q).
Proof.
case/andP=> /prompt_okP u01 ok; have [en0 ed0] := fraction_gt0 ok.
exact: (prompted_margin_ok D (common_gt0 R _) (head_shown b) en0 ed0 mu_gt0 task_shown (common_gt0 R u) (@prompt_shown u) u01 ok).
Qed.

(** Some head, no head. *)
Theorem holds_3_3 b s : agreement_z T K M (integers2 b) (first_z T) s -> exists b : 'I_K.+1 -> X -> R,
  forall (E : X) (x : seq X), is_input m x -> F_star m task x = linear_head b (G m (E :: x) 1).
Proof. by move=> ok; exists (@matrix R b K.+1 c.+1); exact: this_head_3_3 ok. Qed.

Theorem holds_3_6 u b s : prompt_ok u && agreement_z T K M (integers2 b) (behind_z T (integers u)) s ->
  exists (u : letter R H) (b : 'I_K.+1 -> X -> R), is_prompt u /\
  forall (E : X) (x : seq X), is_input m x -> F_star m task x = linear_head b (Gbar m (u :: embed m (E :: x)) 2).
Proof.
move=> ok; exists (@vector R u n.+1), (@matrix R b K.+1 c.+1); split; last exact: this_head_3_6 ok.
by case/andP: ok => /prompt_okP.
Qed.

Theorem fails_3_3 cs : motzkin_z T K M cs -> ~ exists b : 'I_K.+1 -> X -> R,
  forall (E : X) (x : seq X), is_input m x -> F_star m task x = linear_head b (G m (E :: x) 1).
Proof. by move=> ok [b serves]; have [x x_in] := motzkin_ok D mu_gt0 task_shown ok b ord0; apply; exact: serves. Qed.

Theorem fails_3_6 t : no_prompted_head_z T K M t -> ~ exists (u : letter R H) (b : 'I_K.+1 -> X -> R), is_prompt u /\
  forall (E : X) (x : seq X), is_input m x -> F_star m task x = linear_head b (Gbar m (u :: embed m (E :: x)) 2).
Proof.
move=> ok [u [b [u01 serves]]]; have [x x_in] := no_prompted_head_ok D mu_gt0 task_shown ok b ord0 u01.
by apply; exact: serves.
Qed.

End Vanilla.

(** Two labels. *)
Theorem fails_3_6_near_border (n c : nat) p A W mu {valid : valid_hmm (table n c p A W)} {R : realFieldType} B :
  near_border_z (tables_of n c p A W) (integers2 mu) B -> let m := of_hmm_table R valid in
  ~ exists (u : letter R (ordinal_finType n.+1)) (b : 'I_2 -> 'I_c.+1 -> R), is_prompt u /\
  forall (E : 'I_c.+1) (x : seq 'I_c.+1), is_input m x ->
  F_star m (@matrix R mu 2 n.+1) x = linear_head b (Gbar m (u :: embed m (E :: x)) 2).
Proof.
move=> ok m [u [b [u01 serves]]].
have [x x_in] := near_border_ok (page_describes R valid) (common_gt0 R (flatten mu)) (@task_shown n c 1 p A W mu R) ok b ord0 u01.
by apply; exact: serves.
Qed.
