(** The chain Hbar = (M, H): its memory never changes, and every output is a mixture of columns of W. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory proofs.paths
  proofs.linear proofs.message_passing.

Section MemoryLaws.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Notation Hbar := (full N M S).
Notation bar := (hbar m).
Implicit Types (p q : Hbar -> R) (f : memory N M -> R) (v w : seq (letter R Hbar)) (u : letter R Hbar) (x y : seq X).
Implicit Types (g : Hbar) (j : 'I_N).

(** ** The memory never changes *)

Lemma next_memory f p g : next bar (fun g => f g.1 * p g) g = f g.1 * next bar p g.
Proof.
rewrite mulr_sumr; apply: eq_bigr => g' _ /=; rewrite /bar_trans.
by case: eqP => [->|_]; rewrite ?mul0r ?mulr0 // mulrCA.
Qed.

Lemma alpha_memory f p v g : alpha bar (fun g => f g.1 * p g) v g = f g.1 * alpha bar p v g.
Proof.
elim: v p g => //= l v IH p g; rewrite -IH; apply: alpha_ext => g'.
by rewrite next_memory mulrA.
Qed.

(** P[M, v is seen] is the same sum over P[M, H_i, v is seen] for every i. *)
Lemma sum_joint_memory f v i : (i <= size v)%N -> \sum_g f g.1 * joint bar v i g = \sum_g f g.1 * joint bar v 0 g.
Proof.
move=> le_i.
have -> : \sum_g f g.1 * joint bar v i g =
  \sum_g alpha bar (fun g => f g.1 * init bar g) (take i v) g * beta bar (drop i v) g.
  apply: eq_bigr => g _; rewrite alpha_memory -mulrA; congr (_ * _).
  by rewrite -joint_cat cat_take_drop size_takel.
rewrite -alpha_beta cat_take_drop; apply: eq_bigr => g _.
by rewrite joint0 mulrA.
Qed.

(** ** Outputs *)

Notation output := (output m).

Lemma output_ext p q : p =1 q -> output p =1 output q.
Proof. by move=> pq z; rewrite /output; congr (_ / _); apply: eq_bigr => g _; rewrite pq. Qed.

Lemma dot_output (y : X -> R) p : dot y (output p) = (\sum_g dot y (memory_column m (read g)) * p g) / \sum_g p g.
Proof.
rewrite /output dot_div; congr (_ / _); rewrite (eq_bigr (fun g => p g * dot y (memory_column m (read g)))) => [|g _].
  by rewrite -dot_sum; apply: eq_dot => // z; apply: eq_bigr => g _; rewrite mulrC.
by rewrite mulrC.
Qed.

(** P[H_i, X_-i], and the same behind a prompt, as laws p of Hbar. *)
Lemma masked_joint_ge0 x i g : 0 <= masked_joint bar x i g.
Proof. by apply: sumr_ge0 => z _; apply: joint_ge0; exact: nonneg_embed. Qed.

Lemma hat_masked_joint_ge0 u xs i g : is_prompt u -> 0 <= hat_masked_joint bar u xs i g.
Proof. by move=> u01; apply: sumr_ge0 => z _; apply: joint_ge0; exact: nonneg_hat. Qed.

(** G_i(x) = W col(P[Hbar_i, X_-i]) / sum. *)
Lemma G_output x i z : (1 <= i <= size x)%N -> G bar x i z = output (masked_joint bar x i) z.
Proof. by move=> /cut[y [z0 [w [-> ->]]]]; exact: GE. Qed.

(** P[Hbar_i, X] = W[x_i,:] o P[Hbar_i, X_-i]. *)
Lemma joint_masked z0 x i g : (1 <= i <= size x)%N ->
  joint bar (embed bar x) i g = memit m (nth z0 x i.-1) (read g) * masked_joint bar x i g.
Proof.
move=> /cut[y [z [w [-> ->]]]]; rewrite masked_jointE embed_cat /= nth_cat ltnn subnn /=.
by rewrite -(size_map (e bar) y) joint_cons mulrC.
Qed.

(** ** phi and eta *)

Lemma readE g : read g = (g.1 g.2.1, g.2). Proof. by case: g => c [j s]. Qed.

Lemma sum_pair (A B : finType) (F : A * B -> R) : \sum_ab F ab = \sum_a \sum_b F (a, b).
Proof. by rewrite pair_bigA; apply: eq_bigr => -[]. Qed.

(** A sum over the states of Hbar goes column by column. *)
Lemma phiE p c : phi p c = (\sum_(g | read g == c) p g) / (#|M| ^ N.-1)%:R.
Proof.
case: c => a [j s] /=; congr (_ / _); rewrite big_mkcond [RHS]big_mkcond [RHS]sum_pair; apply: eq_bigr => c _.
rewrite (bigD1 (j, s)) //= big1 ?addr0 => [|[k t] /negbTE neq].
  by rewrite xpair_eqE eqxx andbT.
by rewrite /read xpair_eqE neq andbF.
Qed.

(** There are |M|^(N-1) memories with one cell given. *)
Lemma card_cell j (a : M) : #|[set c : memory N M | c j == a]| = (#|M| ^ N.-1)%N.
Proof.
have <- : #|predC1 j| = N.-1 by rewrite cardC1 card_ord.
rewrite -prod_nat_const.
have -> : #|[set c : memory N M | c j == a]| = #|family (fun i => [pred b | (i == j) ==> (b == a)])|.
  apply: eq_card => c; rewrite inE; apply/eqP/familyP => [<- i|/(_ j)].
    by rewrite inE; apply/implyP => /eqP->.
  by rewrite inE eqxx /= => /eqP.
rewrite card_family foldrE big_image /= (bigD1 j) //= -[RHS]mul1n; congr (_ * _)%N.
  by rewrite -(card1 a); apply: eq_card => b; rewrite !inE eqxx.
by apply: eq_bigr => i /negbTE neq; apply: eq_card => b; rewrite !inE neq.
Qed.

Lemma card_memory_gt0 j : (0 < #|M| ^ N.-1)%N.
Proof.
have [_ sum1] := memory_prob_law m.
have [c _|none] := pickP (predT : pred (memory N M)).
  by rewrite expn_gt0; apply/orP; left; apply/card_gt0P; exists (c j).
by move: sum1; rewrite big_pred0 // => /esym/eqP; rewrite oner_eq0.
Qed.

(** phi undoes eta. *)
Lemma phi_eta (v : cell_state N M S -> R) c : phi (eta v) c = v c.
Proof.
case: c => a [j s] /=; rewrite (eq_bigr (fun=> v (a, (j, s)))) => [|c /eqP<-//].
rewrite sumr_const; have -> : #|[pred c : memory N M | c j == a]| = (#|M| ^ N.-1)%N.
  by rewrite -(card_cell j a) cardsE.
by rewrite -[v _ *+ _]mulr_natr mulfK // pnatr_eq0 -lt0n card_memory_gt0.
Qed.

(** Gbar_i(v) = W col(tau_i) / ||tau_i||_1: phi's factor cancels. *)
Lemma memory_Gbar_output v i z : (forall g, 0 <= tau bar v i g) -> memory_Gbar m v i z = output (tau bar v i) z.
Proof.
move=> tau0; rewrite /memory_Gbar /output.
have [g0 _|none] := pickP (predT : pred Hbar); last first.
  have no (c : cell_state N M S) : False.
    have [_ sum1] := init_law bar.
    by move: sum1; rewrite big_pred0 // => /esym/eqP; rewrite oner_eq0.
  by rewrite [dot _ _]big1 ?mul0r ?big_pred0 ?mul0r // => c; case: (no c).
set t := tau bar v i in tau0 *; set n := (#|M| ^ N.-1)%:R : R.
have n0 : 0 < n by rewrite ltr0n; exact: (card_memory_gt0 g0.2.1).
have -> : dot (memit m z) (phi t) = (\sum_g memit m z (read g) * t g) / n.
  rewrite (partition_big (@read N M S) xpredT) //= mulr_suml; apply: eq_bigr => c _.
  by rewrite phiE mulrA mulr_sumr; congr (_ / _); apply: eq_bigr => g /eqP->.
have -> : norm1 (phi t) = (\sum_g t g) / n.
  rewrite (partition_big (@read N M S) xpredT) //= mulr_suml; apply: eq_bigr => c _.
  by rewrite phiE ger0_norm // divr_ge0 ?(ltW n0) // sumr_ge0.
by rewrite invf_div mulrA divfK ?lt0r_neq0.
Qed.

(** ** Texts of positive probability *)

Lemma P_X_masked z0 x i : (1 <= i <= size x)%N ->
  P_X bar x = \sum_g memit m (nth z0 x i.-1) (read g) * masked_joint bar x i g.
Proof. by move=> le_i; rewrite /P_X -(sum_joint _ _ i); apply: eq_bigr => g _; exact: joint_masked. Qed.

Lemma masked_sum_neq0 x i : 0 < P_X bar x -> (1 <= i <= size x)%N -> \sum_g masked_joint bar x i g != 0.
Proof.
case: x => [|z0 x]; first by case: i.
move=> pos le_i; apply: contraTneq pos => sum0; rewrite (P_X_masked z0 le_i) big1 ?ltxx // => g _.
have /eqP := sum0; rewrite psumr_eq0 => [/allP/(_ g)|g' _]; last exact: masked_joint_ge0.
by rewrite mem_index_enum => /(_ isT)/eqP->; rewrite mulr0.
Qed.

(** sum_a f(a) P[M_j = a | X = x], at any position. *)
Lemma dot_posterior (f : M -> R) j x i : (i <= size x)%N ->
  dot f (memory_posterior m j x) = (\sum_(g : Hbar) f (g.1 j) * joint bar (embed bar x) i g) / P_X bar x.
Proof.
move=> le_i; rewrite (sum_joint_memory (fun c => f (c j))) ?size_map // mulr_suml.
rewrite [RHS](partition_big (fun g : Hbar => g.1 j) xpredT) //=; apply: eq_bigr => a _.
by rewrite mulr_sumr; apply: eq_bigr => g /eqP->; rewrite mulrA.
Qed.

(** ** Behind a prompt *)

Lemma P_H1 g : P_H bar 1 g = next bar (init bar) g. Proof. by rewrite P_HS; apply: next_ext => f; exact: P_H0. Qed.

(** The letters (u, e(x)) are those of Xhat, around the position after i. *)
Lemma hat_around u (x w : seq X) z g : hat_masked_joint bar u (prompted (x ++ z :: w)) (size x).+2 g =
  around bar (u :: embed bar x) (embed bar w) g.
Proof.
have -> : prompted (x ++ z :: w) = (None :: map Some x) ++ Some z :: map Some w by rewrite /prompted map_cat.
rewrite -{1}(size_map Some x) hat_masked_jointE -[hat _ _ _]/(hat bar u (prompted x)) hat_prompted.
by rewrite -map_comp.
Qed.

Lemma P_hat_prob u x : P_hat bar u (prompted x) = prob bar (u :: embed bar x).
Proof. by rewrite /P_hat hat_prompted. Qed.

Lemma joint_hat_masked u z0 x i g : (1 <= i <= size x)%N -> joint bar (hat bar u (prompted x)) i.+1 g =
  memit m (nth z0 x i.-1) (read g) * hat_masked_joint bar u (prompted x) i.+1 g.
Proof.
move=> /cut[y [z [w [-> ->]]]]; rewrite hat_around hat_prompted embed_cat nth_cat ltnn subnn /= -cat_cons.
by rewrite -(size_map (e bar) y) -/(embed bar y) (joint_cons bar (u :: _)) mulrC.
Qed.

Lemma P_hat_masked u z0 x i : (1 <= i <= size x)%N ->
  P_hat bar u (prompted x) = \sum_g memit m (nth z0 x i.-1) (read g) * hat_masked_joint bar u (prompted x) i.+1 g.
Proof.
move=> le_i.
by rewrite /P_hat -(sum_joint _ _ i.+1); apply: eq_bigr => g _; exact: joint_hat_masked.
Qed.

(** Behind a prompt that restores the law of H_1 up to a factor for each memory, the text is seen as without it, up to
    that factor; *)
Lemma hat_restored u f x i g : (forall g, next bar (fun g' => P_H bar 1 g' * u g') g = f g.1 * P_H bar 1 g) ->
  (1 <= i <= size x)%N -> hat_masked_joint bar u (prompted x) i.+1 g = f g.1 * masked_joint bar x i g.
Proof.
move=> rest /cut[x1 [z [x2 [-> ->]]]]; rewrite hat_around masked_jointE /around mulrA; congr (_ * _).
rewrite /=; set p := fun _ => _.
have next_p h : next bar p h = f h.1 * next bar (init bar) h.
  by rewrite -P_H1 -rest; apply: next_ext => h'; rewrite /p P_H1.
case: x1 => [|z1 x1] /=; first exact: next_p.
rewrite -next_memory; apply: next_ext => h; rewrite -alpha_memory; apply: alpha_ext => h'.
by rewrite next_p mulrA.
Qed.

(** so with M_{j*} in M* only. *)
Lemma restored u V j (r : R) x i g : restores m u V j r -> (1 <= i <= size x)%N ->
  hat_masked_joint bar u (prompted x) i.+1 g = r * ((g.1 j \in V)%:R * masked_joint bar x i g).
Proof.
by move=> rest; rewrite mulrA; apply: (hat_restored (f := fun c => r * (c j \in V)%:R)) => h; rewrite -mulrA; exact: rest.
Qed.

Lemma prompted_output_law u x i z : is_prompt u -> (1 <= i <= (size x).+1)%N ->
  prompted_output m u x i z = output (hat_masked_joint bar u (prompted x) i) z.
Proof.
move=> u01 le_i.
have eq_tau g : tau bar (ehat m u x) i g = hat_masked_joint bar u (prompted x) i g by exact: message_passing_hat.
rewrite /prompted_output memory_Gbar_output => [|g]; last by rewrite eq_tau hat_masked_joint_ge0.
exact: output_ext.
Qed.

End MemoryLaws.
