(** Rules of the certificate format: messages, R, the task and the label of an attention head (section 10). *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory statements.rules
  statements.rules_memory proofs.paths proofs.linear proofs.message_passing proofs.entered proofs.theorems_3
  proofs.memory_laws proofs.attention proofs.theorems_4 proofs.rules_agreement proofs.rules_attention.

(** ** Messages *)

Section Messages.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Implicit Types (p q : H -> R) (w x : seq X).

Lemma alpha_of_ext p q w : p =1 q -> alpha_of m p w =1 alpha_of m q w.
Proof.
elim: w p q => //= z w IH p q pq; apply: IH => h; apply: next_ext => g.
by rewrite pq.
Qed.

Lemma alpha_ofE p w h : alpha_of m (next m p) w h = next m (alpha m p (embed m w)) h.
Proof.
elim: w p => //= z w IH p; rewrite -IH; apply: alpha_of_ext => g; apply: next_ext => f.
exact: mulrC.
Qed.

Lemma first_law h : P_H m 1 h = next m (init m) h. Proof. by rewrite P_HS; apply: next_ext => g; exact: P_H0. Qed.

(** tau_i(x) from A q, where q is the law of a state with what is seen up to it. *)
Lemma tau_ofE q v y z w h : q =1 alpha m (init m) v ->
  tau_of m (next m q) (y ++ z :: w) (size y).+1 h = around m (v ++ embed m y) (embed m w) h.
Proof.
move=> eq_q; rewrite /tau_of /around take_size_cat // -cat_rcons drop_size_cat ?size_rcons // alpha_ofE alpha_cat.
by congr (_ * _); apply: next_ext => g; exact: alpha_ext.
Qed.

End Messages.

Theorem rule_messages : statement_rule_messages.
Proof.
move=> R H X m u x h; split=> [|i /cut[y [z [w [-> ->]]]]].
  by rewrite -[_ :: _]/([::] ++ u :: embed m x) tau_around /around /= -first_law.
rewrite masked_jointE; split.
  rewrite -[in LHS](cat0s (embed m y)) -(tau_ofE (q := init m) y z w h) //; congr (_ * _).
  by apply: alpha_of_ext => g; rewrite first_law.
rewrite embed_cat; have := tau_around m (u :: embed m y) (e m z) (embed m w) h; rewrite /= size_map => ->.
by rewrite (tau_ofE (v := [:: u])) // => g; rewrite /= first_law.
Qed.

(** ** Outputs and R *)

Section Outputs.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Implicit Types (x : seq X) (u : letter R (full N M S)) (i : nat) (g : full N M S).

Lemma plain_lawE x i g : (1 <= i <= size x)%N -> masked_joint (hbar m) x i g = plain_law m x i g.
Proof. by move=> le_i; have [_ /(_ i le_i)[]] := rule_messages (hbar m) (fun=> 0) x g. Qed.

Lemma law_behindE u x i g : (1 <= i <= (size x).+1)%N -> tau (hbar m) (ehat m u x) i g = law_behind m u x i g.
Proof.
have [first later] := rule_messages (hbar m) u x g; case: i => [|[|i]] // le_i.
by have [_] := later i.+1 le_i.
Qed.

Lemma law_behind_ge0 u x i g : (forall g, 0 <= u g) -> (1 <= i <= (size x).+1)%N -> 0 <= law_behind m u x i g.
Proof.
move=> u0; have pos w h : 0 <= beta_of (hbar m) w h by apply: beta_ge0; exact: nonneg_embed.
case: i => [|[|i]] // le_i; rewrite /law_behind mulr_ge0 ?P_H_ge0 // /behind alpha_ofE next_ge0 // => h.
by apply: alpha_ge0; [move=> f; rewrite mulr_ge0 ?P_H_ge0 | exact: nonneg_embed].
Qed.

End Outputs.

Theorem rule_outputs : statement_rule_outputs.
Proof.
move=> R N M S X m u x i z; split=> [le_i|le_i u0].
  by rewrite G_output //; apply: output_ext => g; exact: plain_lawE.
rewrite memory_Gbar_output => [|g]; last by rewrite law_behindE // law_behind_ge0.
by apply: output_ext => g; exact: law_behindE.
Qed.

Theorem rule_in_R : statement_rule_in_R.
Proof.
move=> R N M S X m Hs x.
have sure i : (1 <= i <= size x)%N -> (forall h, 0 < masked_hidden m x i h -> h \in Hs) <->
    (forall g, 0 < plain_law m x i g -> g.2 \in Hs).
  move=> le_i; have p0 g : 0 <= masked_joint (hbar m) x i g by exact: masked_joint_ge0.
  have := sureP Hs p0; set b := [forall h, _] => b_iff; apply: (@iff_trans _ b); last first.
    split=> [/b_iff in_H g|in_H]; first by rewrite -plain_lawE // lt0r => /andP[/in_H].
    by apply/b_iff => g nz; apply: in_H; rewrite -plain_lawE // lt0r nz p0.
  by split=> [all|/forallP all h]; [apply/forallP => h; apply/implyP; exact: all | exact: (implyP (all h))].
split=> [[pos [i le_i /(sure i le_i)]]|[[_ pos] [i le_i /(sure i le_i)]]]; last by split=> //; exists i.
move=> in_H; split; last by exists i.
by split=> //; case: (x) le_i => //; case: (i).
Qed.

Theorem rule_memory_task : statement_rule_memory_task.
Proof.
move=> R N M S X m K mu j x; apply: label_ext => l; rewrite /memory_posterior /dot.
rewrite [RHS](partition_big (fun g : full N M S => g.1 j) xpredT) //=; apply: eq_bigr => b _.
by rewrite mulr_sumr; apply: eq_bigr => g /eqP <-.
Qed.

(** ** The label of an attention head *)

Section Label.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (a : attention R N M S X K).

Lemma label_on_lawsE t g emb p emb' : (forall i : 'I_t, g i.+1 =1 output m (p i.+1)) ->
  (forall i : 'I_t, emb i.+1 =1 emb' i.+1) -> attention_head a t g emb = label_on_laws m a t p emb'.
Proof.
move=> eq_g eq_emb; rewrite label_sum; apply: label_ext => l.
have scoreE (i : 'I_t) : attention_score a g i.+1 = dot (key_vector a) (output m (p i.+1)) + position_score a i.+1.
  by rewrite key_scoreE (eq_dot (frefl _) (eq_g i)).
apply: eq_big => [i|i _]; first by rewrite inE; apply: eq_forallb => k; rewrite !scoreE.
rewrite valueE; apply: eq_dot (eq_g i) => z; apply: eq_bigr => c _.
by rewrite eq_emb.
Qed.

End Label.

Theorem rule_attention_label : statement_rule_attention_label.
Proof.
move=> R N M S X m K a emb u x; split=> [|u01]; apply: label_on_lawsE => i.
- by move=> z; have [->] := rule_outputs m (fun=> 0) x i.+1 z; rewrite // ltn_ord.
- by [].
- by move=> z; have [_ ->] := rule_outputs m u x i.+1 z; rewrite ?ltn_ord // => g; case/andP: (u01 g).
case: i => [[|i] lt_i] c //=; have le_i : (1 <= i.+1 <= size x)%N by rewrite -ltnS.
have [z0 _] : exists z0 : X, True by case: (x) le_i => // z0; exists z0.
by rewrite (letter_at_map z0 (memit m) le_i); exact: (prompted_embeddingE m u z0 c le_i).
Qed.

Theorem rule_mislabelled_attention : statement_rule_mislabelled_attention.
Proof.
move=> R N M S X m K mu j Hs a emb u x x_R task.
have eq_task : memory_F_star m mu j x = task by rewrite rule_memory_task rule_task //; exact: x_R.1.
have [plain behind_u] := rule_attention_label m a emb u x.
by split=> [wrong|u01 wrong] right; apply: wrong; rewrite -eq_task (right x x_R) ?plain ?behind_u.
Qed.
