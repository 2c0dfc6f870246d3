(** Message passing computes P[H_i, all but i], for tokens and behind a soft prompt (appendix B, lemma B.1). *)

From Headproof Require Import definitions.prelude definitions.hmm proofs.paths.

Section MessagePassing.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Implicit Types (l u : letter R H) (v w : seq (letter R H)) (x y : seq X).

Lemma letter_at_cat v l w : letter_at (v ++ l :: w) (size v).+1 = l.
Proof. by rewrite /letter_at /= nth_cat ltnn subnn. Qed.

(** right_{i->i+1} = A alpha, *)
Lemma right_messageE v w h : right_message m (v ++ w) (size v) h = next m (alpha m (init m) v) h.
Proof.
elim/last_ind: v w h => [|v l IH] w h /=; first by rewrite P_HS; apply: next_ext => g; exact: P_H0.
rewrite size_rcons /=; apply: eq_bigr => g _.
by rewrite cat_rcons letter_at_cat IH alpha_rcons.
Qed.

(** and left_{i+1->i} = P[H_i] o beta. *)
Lemma left_messageE v w h : left_message m (v ++ w) (size v) h = P_H m (size v) h * beta m w h.
Proof.
rewrite /left_message size_cat addKn.
elim: w v h => [|l w IH] v h /=; first by rewrite cats0 mulr1.
have -> : (size (v ++ l :: w) - size w)%N = (size v).+1 by rewrite size_cat /= addnS subSn ?leq_addl ?addnK.
have eq_v : v ++ l :: w = rcons v l ++ w by rewrite cat_rcons.
rewrite letter_at_cat mulr_sumr; apply: eq_bigr => g _.
rewrite {1}eq_v IH size_rcons /back /=.
have [P0|nz] := eqVneq (P_H m (size v).+1 g) 0.
  have := P_HS_eq0 (h := g) h P0; rewrite mulrC => PA.
  by rewrite P0 invr0 mulr0 mul0r !mulrA PA !mul0r.
by rewrite -!mulrA mulKf // [beta m w g * _]mulrC.
Qed.

(** tau_i = P[H_i, all but i], whatever the letters; where P[H_i] = 0, both are 0. *)
Lemma tau_around v l w h : tau m (v ++ l :: w) (size v).+1 h = around m v w h.
Proof.
have eq_v : v ++ l :: w = rcons v l ++ w by rewrite cat_rcons.
have eq_size : size (rcons v l) = (size v).+1 by rewrite size_rcons.
rewrite /tau /around; case: eqP => [eq1|_].
  have v0 : v = [::] by apply: size0nil; case: eq1.
  by rewrite v0 (left_messageE [:: l] w) P_HS; congr (_ * _); apply: next_ext => g; rewrite P_H0.
rewrite right_messageE; case: eqP => [eq_t|_].
  have w0 : w = [::].
    by apply/size0nil/eqP; rewrite -(eqn_add2l (size v).+1) addn0 addSn -addnS eq_t size_cat.
  by rewrite w0 mulr1.
rewrite eq_v -{1}eq_size left_messageE eq_size.
have [P0|nz] := eqVneq (P_H m (size v).+1 h) 0; last by rewrite mulrA mulrAC mulfK.
have /(next_P_H_eq0 (@alpha_P_H_eq0 _ _ _ m v))-> := P0; by rewrite !mul0r.
Qed.

(** ** Gbar_i *)

(** Gbar_i(v) = W tau_i / sum tau_i, for letters that are nonnegative. *)
Lemma Gbar_around v l w z : nonneg v -> nonneg w ->
  Gbar m (v ++ l :: w) (size v).+1 z = (\sum_h emit m z h * around m v w h) / \sum_h around m v w h.
Proof.
move=> v0 w0; have eq_tau := tau_around v l w; rewrite /Gbar; congr (_ / _).
  by apply: eq_bigr => h _; rewrite eq_tau.
by apply: eq_bigr => h _; rewrite eq_tau ger0_norm ?around_ge0.
Qed.

(** A text is cut at a position. *)
Lemma cut (T : Type) (x : seq T) i : (1 <= i <= size x)%N ->
  exists (y : seq T) (z : T) (w : seq T), x = y ++ z :: w /\ i = (size y).+1.
Proof.
case: i => [//|i] /andP[_ lt_i]; case: x lt_i => [//|z0 x] lt_i.
exists (take i (z0 :: x)), (nth z0 (z0 :: x) i), (drop i.+1 (z0 :: x)).
by rewrite -drop_nth // cat_take_drop size_takel // ltnW.
Qed.

(** tau_i(e(x)) = P[H_i, X_-i = x_-i], *)
Lemma message_passing x i h : (1 <= i <= size x)%N -> tau m (embed m x) i h = masked_joint m x i h.
Proof.
move=> /cut[y [z [w [-> ->]]]]; rewrite masked_jointE embed_cat /= -(size_map (e m) y).
exact: tau_around.
Qed.

(** and Gbar_i(e(x)) = G_i(x). *)
Lemma message_passing_G x i z : (1 <= i <= size x)%N -> Gbar m (embed m x) i z = G m x i z.
Proof.
move=> /cut[y [z0 [w [-> ->]]]]; rewrite GE embed_cat /= -(size_map (e m) y) Gbar_around; try exact: nonneg_embed.
by rewrite size_map; congr (_ / _); apply: eq_bigr => h _; rewrite masked_jointE.
Qed.

(** ** Behind a soft prompt *)

Implicit Types (xs ys ws : seq (option X)).

(** P[Xhat_i = z | H_i], where ys stands before. *)
Definition hat_letter u ys (z : option X) : letter R H := if ys is [::] then hat_first m u z else hat_later m z.

Lemma hat_cat u ys z ws : hat m u (ys ++ z :: ws) = hat m u ys ++ hat_letter u ys z :: map (hat_later m) ws.
Proof. by case: ys => //= z1 ys; rewrite map_cat. Qed.

Lemma size_hat u xs : size (hat m u xs) = size xs. Proof. by case: xs => //= z xs; rewrite size_map. Qed.

Lemma sum_option (F : option X -> R) : \sum_z F z = F None + \sum_z F (Some z).
Proof.
rewrite (bigD1 None) //=; congr (_ + _).
rewrite (reindex_omap Some id) /= => [|[z|]] //=; apply: eq_bigl => z; by rewrite eqxx.
Qed.

Lemma sum_hat_letter u ys h : \sum_z hat_letter u ys z h = 1.
Proof.
rewrite sum_option; case: ys => [|z ys] /=; last by rewrite add0r (proj2 (emit_law m h)).
by rewrite -mulr_sumr (proj2 (emit_law m h)) mulr1 addrC subrK.
Qed.

Lemma hat_masked_jointE u ys z ws h :
  hat_masked_joint m u (ys ++ z :: ws) (size ys).+1 h = around m (hat m u ys) (map (hat_later m) ws) h.
Proof.
rewrite /hat_masked_joint -[RHS]mulr1 -(sum_hat_letter u ys h) mulr_sumr; apply: eq_bigr => z' _.
by rewrite replaceE hat_cat -(size_hat u ys) joint_cons.
Qed.

Lemma sum_hat_masked_joint u xs i : \sum_h hat_masked_joint m u xs i h = hat_masked_prob m u xs i.
Proof. by rewrite /hat_masked_joint exchange_big; apply: eq_bigr => z _; rewrite sum_joint. Qed.

Lemma P_hat_replace u ys z0 ws z : P_hat m u (replace (ys ++ z0 :: ws) (size ys).+1 z) =
  \sum_h hat_letter u ys z h * hat_masked_joint m u (ys ++ z0 :: ws) (size ys).+1 h.
Proof.
rewrite replaceE /P_hat hat_cat prob_cons; apply: eq_bigr => h _.
by rewrite hat_masked_jointE mulrC.
Qed.

Lemma G_hatE u ys z0 ws z : let i := (size ys).+1 in let xs := ys ++ z0 :: ws in G_hat m u xs i z =
    (\sum_h hat_letter u ys z h * hat_masked_joint m u xs i h) / \sum_h hat_masked_joint m u xs i h.
Proof. by rewrite /= /G_hat P_hat_replace sum_hat_masked_joint. Qed.

Lemma nonneg_later ws : nonneg (map (hat_later m) ws).
Proof. by elim: ws => [|[z|] ws IH] [|i] h /=; rewrite ?ler01 ?emit_ge0 //; exact: IH. Qed.

Lemma nonneg_hat u xs : is_prompt u -> nonneg (hat m u xs).
Proof.
case: xs => [|z xs] u01 [|i] h /=; rewrite ?nth_nil ?ler01 //; last exact: nonneg_later.
have /andP[u0 u1] := u01 h; case: z => [z|] //=.
by rewrite mulr_ge0 ?emit_ge0 // subr_ge0.
Qed.

(** The letters (u, e(x_1), ..., e(x_t)) are those of Xhat = (ztilde, x). *)
Lemma hat_prompted u x : hat m u (prompted x) = u :: embed m x. Proof. by rewrite /= /embed -map_comp. Qed.

Lemma cut_prompted u x i : (1 <= i <= (size x).+1)%N -> exists ys z ws,
  [/\ prompted x = ys ++ z :: ws, i = (size ys).+1 &
      u :: embed m x = hat m u ys ++ hat_letter u ys z :: map (hat_later m) ws].
Proof.
rewrite -(size_map (@Some X)) -[(size _).+1]/(size (prompted x)) => /cut[ys [z [ws [eq_x ->]]]].
by exists ys, z, ws; split=> //; rewrite -hat_prompted eq_x hat_cat.
Qed.

(** tau_i(ehat(x)) = P[H_i, Xhat_-i = (ztilde, x)_-i], for any u and any i; *)
Lemma message_passing_hat u x i h : (1 <= i <= (size x).+1)%N ->
  tau m (u :: embed m x) i h = hat_masked_joint m u (prompted x) i h.
Proof.
move=> /(cut_prompted u)[ys [z [ws [-> -> ->]]]].
by rewrite hat_masked_jointE -(size_hat u ys) tau_around.
Qed.

(** Gbar_i(ehat(x)) = W tau_i / sum tau_i, for u in [0,1]^H; *)
Lemma Gbar_hat u x i z : is_prompt u -> (1 <= i <= (size x).+1)%N -> Gbar m (u :: embed m x) i z =
  (\sum_h emit m z h * hat_masked_joint m u (prompted x) i h) / hat_masked_prob m u (prompted x) i.
Proof.
move=> u01 le_i; rewrite /Gbar -sum_hat_masked_joint.
have eq_tau h : tau m (u :: embed m x) i h = hat_masked_joint m u (prompted x) i h by exact: message_passing_hat.
congr (_ / _); apply: eq_bigr => h _; rewrite eq_tau // ger0_norm //.
by apply: sumr_ge0 => z' _; apply: joint_ge0; exact: nonneg_hat.
Qed.

(** it is P[Xhat_i | Xhat_-i] on tokens, from i = 2 on; *)
Lemma Gbar_hat_G u x i z : is_prompt u -> (2 <= i <= (size x).+1)%N ->
  Gbar m (u :: embed m x) i z = G_hat m u (prompted x) i (Some z).
Proof.
move=> u01 /andP[lt1 le_i]; have le1 : (1 <= i <= (size x).+1)%N by rewrite le_i ltnW.
rewrite Gbar_hat //; have [ys [z0 [ws [-> eq_i _]]]] := cut_prompted u le1.
rewrite eq_i G_hatE sum_hat_masked_joint; case: ys eq_i lt1 => [->|] //.
Qed.

(** and 0 where P[Xhat_-i = (ztilde, x)_-i] = 0, for any i. *)
Lemma Gbar_hat_eq0 u x i z : is_prompt u -> (1 <= i <= (size x).+1)%N ->
  hat_masked_prob m u (prompted x) i = 0 -> Gbar m (u :: embed m x) i z = 0.
Proof. by move=> u01 le_i eq0; rewrite Gbar_hat // eq0 invr0 mulr0. Qed.

End MessagePassing.
