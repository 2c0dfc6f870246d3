(** Rules of the certificate format: lemmas on one model (sections 9, 10 and 11). *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory statements.rules
  statements.rules_memory statements.rules_lemmas proofs.paths proofs.linear proofs.message_passing proofs.entered
  proofs.theorems_3 proofs.memory_laws proofs.attention proofs.restoring proofs.theorems_4 proofs.rules_attention
  proofs.rules_messages.

(** Terms of a sum that are nowhere < 0, and somewhere > 0. *)
Lemma some_gt0 (R : realFieldType) (T : finType) (F : T -> R) :
  (forall t, 0 <= F t) -> (exists t, 0 < F t) -> 0 < \sum_t F t.
Proof. by move=> ge0 [t gt0]; rewrite sum_gt0 //; apply/existsP; exists t. Qed.

Lemma letter_tnth (R : realFieldType) (H X : finType) (emb : X -> letter R H) x (i : 'I_(size x)) :
  letter_at (map emb x) i.+1 = emb (tnth (in_tuple x) i).
Proof.
by have z0 := tnth (in_tuple x) i; rewrite /letter_at (nth_map z0 _ _ (ltn_ord i)) -(tnth_nth z0 (in_tuple x) i).
Qed.

(** ** Values *)

Section Values.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (Hs : {set hidden N S}).
Variables possible possible' : forall x : seq X, 'I_(size x) -> Prop.
Variables (T : finType) (word : T -> seq X) (place : forall t, 'I_(size (word t))) (y : T -> 'I_K.+1 -> R).
Variable out : forall x : seq X, 'I_(size x) -> X -> R.
Hypothesis possible_sub : forall x (i : 'I_(size x)), possible i -> possible' i.

Lemma no_values_wrong (v : 'I_K.+1 -> X -> X -> R) : no_values m mu j Hs possible place y out ->
  ~ values_as_wanted m mu j Hs possible' (fun x i l => dot (v l (tnth (in_tuple x) i)) (out i)).
Proof.
move=> [good cancel ge0 some] right; pose token t := tnth (in_tuple (word t)) (place t).
pose value t l := dot (v l (token t)) (out (place t)).
have total : \sum_t \sum_l y t l * value t l = 0.
  rewrite exchange_big big1 // => l _; rewrite (partition_big token xpredT) //= big1 // => z' _.
  rewrite (eq_bigr (fun t => \sum_z v l z' z * (y t l * out (place t) z))) => [|t /eqP eq_z]; last first.
    by rewrite /value eq_z mulr_sumr; apply: eq_bigr => z _; rewrite mulrCA.
  by rewrite exchange_big big1 // => z _; rewrite -mulr_sumr cancel mulr0.
have term t : exists2 r : R, 0 < r & \sum_l y t l * value t l =
    r * \sum_l y t l * dot (mu l) (memory_posterior m j (word t)).
  have [x_R i_I pos] := good t; have [r r0 eq_r] := right _ _ x_R i_I (possible_sub pos); exists r => //.
  by rewrite mulr_sumr; apply: eq_bigr => l _; rewrite /value eq_r mulrCA.
have := lt_irreflexive (0 : R); rewrite -{2}total some_gt0 // => [t|].
  by have [r /ltW r0 ->] := term t; rewrite mulr_ge0.
by have [t gt0] := some; exists t; have [r r0 ->] := term t; exact: mulr_gt0.
Qed.

End Values.

Theorem rule_no_values : statement_rule_no_values.
Proof.
move=> R N M S X m K mu j Hs T word place y wanted refuted.
have none v : ~ wanted (fun x i l => dot (v l (tnth (in_tuple x) i)) (G (hbar m) x i.+1)).
  exact: (no_values_wrong (fun x i pos => pos) refuted).
split=> // a emb right; apply: (none (fun l z => value_vector a l (emb z))) => x i x_R i_I _.
have [r r0 eq_r] := right x i x_R i_I I; exists r => // l; rewrite -eq_r valueE; apply: eq_dot => // z.
apply: eq_bigr => c _; congr (_ * (_ * _)).
by rewrite letter_tnth.
Qed.

Theorem rule_no_prompted_values : statement_rule_no_prompted_values.
Proof.
move=> R N M S X m K mu j Hs T word place y u wanted refuted; have u01 : is_prompt u by exact: paper_prompt_is_prompt.
have none v : ~ wanted (fun x i l => dot (v l (tnth (in_tuple x) i)) (prompted_output m u x i.+2)).
  apply: no_values_wrong refuted => x i [z nz].
  have le_i : (1 <= i.+2 <= (size x).+1)%N by rewrite /= ltnS ltn_ord.
  rewrite -sum_hat_masked_joint lt0r sumr_ge0 => [|g _]; last exact: hat_masked_joint_ge0.
  rewrite andbT; apply: contraNneq nz => zero.
  by rewrite prompted_output_law // /output zero invr0 mulr0.
split=> // a right; apply: (none (fun l z => value_vector a l (memit m z))) => x i x_R i_I pos.
have [r r0 eq_r] := right x i x_R i_I pos; exists r => // l; rewrite -eq_r valueE; apply: eq_dot => // z.
apply: eq_bigr => c _; congr (_ * (_ * _)); rewrite /prompted_embedding.
have -> : letter_at (ehat m u x) i.+2 = eta (memit m (tnth (in_tuple x) i)).
  exact: (letter_tnth (fun z => eta (memit m z))).
by rewrite (phi_eta m).
Qed.

(** ** Keys *)

Section Keys.

Variables (R : realFieldType) (N : nat) (M S X : finType) (K : nat) (a : attention R N M S X K).
Variables (len : seq X -> nat) (out : seq X -> nat -> X -> R) (wanted : forall x : seq X, {set 'I_(len x)}).
Variable good : seq X -> Prop.
Variables (T : finType) (word : T -> seq X) (here there : forall t, 'I_(len (word t))) (weight : T -> R).

(** A head that attends as wanted has more score of its own where it attends. *)
Lemma own_scores_gain : no_keys out wanted good here there weight -> keys_as_wanted out wanted good a ->
  0 < \sum_t weight t * (position_score a (here t).+1 - position_score a (there t).+1).
Proof.
move=> [good_t pos some zero] right; pose score t i := attention_score a (out (word t)) i.
have -> : \sum_t weight t * (position_score a (here t).+1 - position_score a (there t).+1) =
    \sum_t weight t * (score t (here t).+1 - score t (there t).+1).
  pose d t z := out (word t) (here t).+1 z - out (word t) (there t).+1 z.
  rewrite [RHS](eq_bigr (fun t => weight t * dot (key_vector a) (d t) +
      weight t * (position_score a (here t).+1 - position_score a (there t).+1))) => [|t _]; last first.
    by rewrite /score !key_scoreE (dotC _ (d t)) dotB !(dotC _ (key_vector a)) -mulrDr opprD addrACA.
  by rewrite big_split /= -dot_sum /dot [X in _ = X + _]big1 ?add0r // => z _; rewrite zero mulr0.
have term t : 0 <= weight t * (score t (here t).+1 - score t (there t).+1) /\
    (there t \notin wanted (word t) -> 0 < weight t * (score t (here t).+1 - score t (there t).+1)).
  have [x_good] := good_t t; have := pos t; rewrite -(right _ x_good) !inE => pos_t /forallP max_h.
  have gain : ~~ [forall k : 'I_(len (word t)), score t k.+1 <= score t (there t).+1] ->
      0 < weight t * (score t (here t).+1 - score t (there t).+1).
    move=> low; rewrite mulr_gt0 ?pos_t // subr_gt0.
    by move: low => /forallPn[k]; rewrite -ltNge => lt_k; exact: lt_le_trans lt_k (max_h k).
  split=> [|low]; last exact: gain.
  have [/forallP max_t|/gain/ltW//] := boolP [forall k : 'I_(len (word t)), score t k.+1 <= score t (there t).+1].
  suff -> : score t (here t).+1 = score t (there t).+1 by rewrite subrr mulr0.
  by apply/eqP; rewrite eq_le (max_h (there t)) (max_t (here t)).
by apply: some_gt0 => [t|]; [exact: (term t).1 | have [t low] := some; exists t; exact: (term t).2].
Qed.

(** Position by position. *)
Lemma by_place (p : T -> nat) (f : nat -> R) n : (forall t, p t < n.+1)%N ->
  \sum_t weight t * f (p t) = \sum_(k < n.+1) f k * \sum_(t | p t == k) weight t.
Proof.
move=> below; rewrite (partition_big (fun t => inord (p t) : 'I_n.+1) xpredT) //=; apply: eq_bigr => k _.
have eq_k t : (inord (p t) == k) = (p t == k) by rewrite -val_eqE /= inordK.
by rewrite mulr_sumr; apply: eq_big => t; rewrite ?eq_k // => /eqP ->; exact: mulrC.
Qed.

Lemma own_scores_cancel (p q : T -> nat) (f : nat -> R) :
  (forall k, \sum_(t | p t == k) weight t = \sum_(t | q t == k) weight t) -> \sum_t weight t * (f (p t) - f (q t)) = 0.
Proof.
move=> same; pose n := \max_t maxn (p t) (q t).
have below t : (maxn (p t) (q t) < n.+1)%N by rewrite ltnS (leq_bigmax (F := fun t => maxn (p t) (q t))).
under eq_bigr do rewrite mulrBr.
rewrite sumrB (@by_place p f n) => [|t]; last by apply: leq_ltn_trans (below t); exact: leq_maxl.
rewrite (@by_place q f n) => [|t]; last by apply: leq_ltn_trans (below t); exact: leq_maxr.
by apply/eqP; rewrite subr_eq0; apply/eqP; apply: eq_bigr => k _; rewrite same.
Qed.

End Keys.

Theorem rule_no_keys : statement_rule_no_keys.
Proof.
move=> R N M S X m K Hs T word here there weight refuted [a none right].
have own0 i : position_score a i = 0 by apply: big1 => k _; rewrite none mulr0.
by have := own_scores_gain refuted right; rewrite big1 ?ltxx // => t _; rewrite !own0 subrr mulr0.
Qed.

Theorem rule_no_prompted_keys : statement_rule_no_prompted_keys.
Proof.
move=> R N M S X m K mu j Hs more T word here there weight u good wanted refuted same [a right].
have zero := own_scores_cancel (fun p => position_score a p.+1) same.
by have := own_scores_gain refuted right; rewrite zero ltxx.
Qed.

(** ** Words around a position *)

Section Words.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Implicit Types (v w : seq X).

Lemma tau_at v z w p h : tau_of m p (v ++ z :: w) (size v).+1 h = alpha_of m p v h * beta_of m w h.
Proof. by rewrite /tau_of take_size_cat // -cat_rcons drop_size_cat ?size_rcons. Qed.

Lemma masked_at v z w h : masked_joint m (v ++ z :: w) (size v).+1 h = alpha_of m (P_H m 1) v h * beta_of m w h.
Proof.
have le_v : (1 <= (size v).+1 <= size (v ++ z :: w))%N by rewrite size_cat /= addnS ltnS leq_addr.
by have [_ /(_ _ le_v)[-> _]] := rule_messages m (fun=> 0) (v ++ z :: w) h; exact: tau_at.
Qed.

End Words.

Theorem rule_no_inverse : statement_rule_no_inverse.
Proof.
move=> R H X m T left right weight tau zero [h /eqP nz_sum] [L inverse]; apply: nz_sum.
have [z0 _] := law_gt0 (emit_law m h).
have each t : tau t h = \sum_z L h z * \sum_g emit m z g * tau t g.
  pose x := left t ++ z0 :: right t; pose i := (size (left t)).+1.
  have tauE g : masked_joint m x i g = tau t g by exact: masked_at.
  have tau0 g : 0 <= tau t g by rewrite -tauE; apply: sumr_ge0 => z _; apply: joint_ge0; exact: nonneg_embed.
  have sum_tau : \sum_g tau t g = masked_prob m x i.
    by rewrite -sum_masked_joint; apply: eq_bigr => g _; rewrite tauE.
  have [P0|nz] := eqVneq (masked_prob m x i) 0.
    have tau_eq0 g : tau t g = 0 by move: sum_tau; rewrite P0 => /psumr_eq0P ->.
    by rewrite tau_eq0 big1 // => z _; rewrite big1 ?mulr0 // => g _; rewrite tau_eq0 mulr0.
  have le_i : (1 <= i <= size x)%N by rewrite size_cat /= addnS ltnS leq_addr.
  have pos : 0 < masked_prob m x i by rewrite lt0r nz -sum_tau sumr_ge0.
  have := inverse x i le_i pos h; rewrite /masked_posterior tauE => /(canRL (divfK nz)) ->.
  rewrite mulr_suml; apply: eq_bigr => z _; rewrite -mulrA; congr (_ * _).
  rewrite GE sum_masked_joint divfK //; apply: eq_bigr => g _; by rewrite tauE.
rewrite (eq_bigr (fun t => \sum_z L h z * (weight t * \sum_g emit m z g * tau t g))) => [|t _]; last first.
  by rewrite {1}each mulr_sumr; apply: eq_bigr => z _; rewrite mulrCA.
by rewrite exchange_big big1 // => z _; rewrite -mulr_sumr zero mulr0.
Qed.

Lemma regroup (R : realFieldType) (D c U i P d : R) : D * (c / U * (i / P)) * d = D * (d * (c * i)) / (U * P).
Proof. by rewrite mulf_div -!mulrA; congr (_ * _); rewrite [RHS]mulrC -!mulrA. Qed.

Lemma cancelled (R : realFieldType) (S r n q : R) : q != 0 -> r * n != 0 -> r * (S / q) * n * (q / (r * n)) = S.
Proof.
by move=> q_nz rn_nz; rewrite (mulrCA r) -(mulrA S) (mulrAC r) -mulrA (mulrA (r * n / q)) divfK // divff // mulr1.
Qed.

Theorem rule_no_output_diagonal : statement_rule_no_output_diagonal.
Proof.
move=> R H X m u T word y c u01 u_pos word_in zero reads ge0 some [D _ right].
have c0 h : 0 <= c h by exact: after_prompt_ge0.
have beta0 x h : 0 <= beta_of m x h by apply: beta_ge0; exact: nonneg_embed.
have prob_c : prob m [:: u; free] = dot u (P_H m 1).
  rewrite -(sum_joint _ _ 2) (eq_bigr c) => [|h _]; last exact: joint_prompt.
  by rewrite /c /behind sum_next; apply: eq_bigr => h _; exact: mulrC.
have [t0 _] := some; have [E] : exists E : X, E \in word t0.
  by have [] := word_in t0; case: (word t0) => // E x _ _; exists E; exact: mem_head.
move=> _; pose mass t := \sum_h c h * beta_of m (word t) h.
have mass0 t : 0 <= mass t by apply: sumr_ge0 => h _; exact: mulr_ge0.
have term t : exists2 k, 0 <= k /\ (0 < reads t -> 0 < k) & reads t * k =
    \sum_h D h * (dot (y t) (column m h) * (c h * (init m h * beta_of m (word t) h))).
  have [r r0 eq_r] := right E (word t) (word_in t); have [_ P_pos] := word_in t.
  have [zero_mass|nz] := eqVneq (mass t) 0.
    have c_beta0 h : c h * beta_of m (word t) h = 0.
      by move: zero_mass => /psumr_eq0P -> // h' _; exact: mulr_ge0.
    exists 0; rewrite ?mulr0.
      split=> //; rewrite /reads /dot big1 ?ltxx // => z _.
      by rewrite big1 ?mulr0 // => h _; rewrite c_beta0 mulr0.
    by rewrite big1 // => h _; rewrite [c h * _]mulrCA c_beta0 !mulr0.
  have mass_pos : 0 < mass t by rewrite lt0r nz mass0.
  have k_pos : 0 < P_X m (word t) * dot u (P_H m 1) / (r * mass t) by rewrite divr_gt0 ?mulr_gt0.
  exists (P_X m (word t) * dot u (P_H m 1) / (r * mass t)); first by split=> [|_]; rewrite ?ltW.
  have eq_G : reads t / mass t = dot (y t) (Gbar m (u :: embed m (E :: word t)) 2).
    by rewrite /reads -dot_div; apply: eq_dot => // z; rewrite Gbar_prompt.
  have {}eq_G : reads t / mass t = r * ((\sum_h D h * (dot (y t) (column m h) *
      (c h * (init m h * beta_of m (word t) h)))) / (dot u (P_H m 1) * P_X m (word t))).
    rewrite eq_G (eq_dot (frefl _) eq_r) dot_scale dot_emission; congr (_ * _); rewrite [RHS]mulr_suml.
    by apply: eq_bigr => h _; rewrite posterior0 /posterior joint_prompt prob_c regroup.
  move/(canRL (divfK nz)): eq_G => ->; set S := \sum_h _; set A := dot u _; set P := P_X _ _.
  have [AP_nz rm_nz] : A * P != 0 /\ r * mass t != 0 by rewrite !gt_eqF ?mulr_gt0.
  by rewrite (mulrC P) cancelled.
have total : 0 < \sum_t \sum_h D h * (dot (y t) (column m h) * (c h * (init m h * beta_of m (word t) h))).
  apply: some_gt0 => [t|]; first by have [k [k0 _] <-] := term t; exact: mulr_ge0.
  by have [t pos] := some; exists t; have [k [_ k_pos] <-] := term t; rewrite mulr_gt0 // k_pos.
by move: total; rewrite exchange_big big1 ?ltxx // => h _; rewrite -mulr_sumr zero mulr0.
Qed.

(** ** What is read of a hidden state *)

Section Reading.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (h : hidden N S).
Variables (T : finType) (weight : T -> R) (p : T -> full N M S -> R).
Notation v c := (\sum_t weight t * \sum_(g | read g == c) p t g).

(** Nothing reads the columns of h off all these laws p. *)
Lemma no_reading (Theta : M -> X -> R) : (forall z, \sum_c memit m z c * v c = 0) -> (exists b, v (b, h) != 0) ->
  ~ forall t b, \sum_(g | read g == (b, h)) p t g = dot (Theta b) (fun z => \sum_g memit m z (read g) * p t g).
Proof.
move=> zero [b /eqP nz] right; apply: nz; pose q t z := \sum_g memit m z (read g) * p t g.
rewrite (eq_bigr (fun t => weight t * dot (Theta b) (q t))) => [|t _]; last by rewrite right.
rewrite -dot_sum /dot big1 // => z _; apply/eqP; rewrite mulf_eq0; apply/orP; right; rewrite -[X in _ == X](zero z).
apply/eqP; under [RHS]eq_bigr do rewrite mulr_sumr; rewrite exchange_big; apply: eq_bigr => t _.
under [RHS]eq_bigr do rewrite mulrCA; rewrite -mulr_sumr; congr (_ * _).
rewrite /q (partition_big (@read N M S) xpredT) //=; apply: eq_bigr => c _.
by rewrite mulr_sumr; apply: eq_bigr => g /eqP ->.
Qed.

(** Where the law p_t is that of a position, or 0, a functional of its output is one of it. *)
Lemma reads_law (theta : X -> R) t b : (forall g, 0 <= p t g) ->
  (\sum_g p t g != 0 -> exists2 out, out =1 output m (p t) &
    dot theta out = (\sum_(g | read g == (b, h)) p t g) / \sum_g p t g) ->
  \sum_(g | read g == (b, h)) p t g = dot theta (fun z => \sum_g memit m z (read g) * p t g).
Proof.
move=> p0 reads; have [/psumr_eq0P zero|nz] := eqVneq (\sum_g p t g) 0.
  have p_eq0 g : p t g = 0 by apply: zero.
  rewrite big1 // [RHS]big1 // => z _; rewrite big1 ?mulr0 // => g _; by rewrite p_eq0 mulr0.
have [out eq_out] := reads nz; rewrite (eq_dot (frefl _) eq_out) /output dot_div.
by move/(mulIf (invr_neq0 nz)).
Qed.

End Reading.

Theorem rule_no_duals : statement_rule_no_duals.
Proof.
move=> R N M S X m h T left right weight tau v zero some [Theta reads].
apply: (no_reading zero some (Theta := Theta)) => t b; have tau0 g : 0 <= tau t g.
  by have [z0 _] := law_gt0 (emit_law (hbar m) g); rewrite /tau -(masked_at _ _ z0); exact: masked_joint_ge0.
have [z0 _] : exists z0 : X, True.
  by have [g _] := law_gt0 (init_law (hbar m)); have [z0 _] := law_gt0 (emit_law (hbar m) g); exists z0.
apply: reads_law => // nz; pose i := (size (left t)).+1.
have tauE z g : masked_joint (hbar m) (left t ++ z :: right t) i g = tau t g by exact: masked_at.
have [z P_z] : exists z, 0 < P_X (hbar m) (left t ++ z :: right t).
  have : 0 < masked_prob (hbar m) (left t ++ z0 :: right t) i.
    rewrite -sum_masked_joint (eq_bigr _ (fun g _ => tauE z0 g)) lt0r nz; exact: sumr_ge0.
  rewrite /masked_prob sum_gt0 => [/existsP[z]|z]; last by apply: prob_ge0; exact: nonneg_embed.
  by rewrite replaceE; exists z.
have le_i : (1 <= i <= size (left t ++ z :: right t))%N by rewrite size_cat /= addnS ltnS leq_addr.
exists (G (hbar m) (left t ++ z :: right t) i) => [z'|].
  by rewrite G_output //; apply: output_ext => g; exact: tauE.
rewrite reads // -sum_masked_joint; congr (_ / _); apply: eq_bigr => g _; exact: tauE.
Qed.

Theorem rule_no_prompted_duals : statement_rule_no_prompted_duals.
Proof.
move=> R N M S X m V j h T left right weight u tau v zero some [Theta reads].
have u01 : is_prompt u by exact: paper_prompt_is_prompt.
apply: (no_reading zero some (Theta := Theta)) => t b.
have [z _] : exists z : X, True.
  by have [g _] := law_gt0 (init_law (hbar m)); have [z _] := law_gt0 (emit_law (hbar m) g); exists z.
pose x := left t ++ z :: right t; pose i := (size (left t)).+1.
have le_x : (1 <= i <= size x)%N by rewrite size_cat /= addnS ltnS leq_addr.
have le_i : (1 < i.+1 <= (size x).+1)%N by case/andP: le_x.
have tauE g : hat_masked_joint (hbar m) u (prompted x) i.+1 g = tau t g.
  have [_ /(_ i le_x)[_]] := rule_messages (hbar m) u x g.
  by rewrite message_passing_hat => [->|]; [exact: tau_at | case/andP: le_i => /ltnW ->].
have tau0 g : 0 <= tau t g by rewrite -tauE; exact: hat_masked_joint_ge0.
apply: reads_law => // nz; exists (prompted_output m u x i.+1) => [z'|].
  by rewrite prompted_output_law //; apply: output_ext => g; exact: tauE.
have sum_tau : \sum_g tau t g = hat_masked_prob (hbar m) u (prompted x) i.+1.
  by rewrite -sum_hat_masked_joint; apply: eq_bigr => g _; rewrite tauE.
rewrite reads // -?sum_tau; last by rewrite lt0r nz sumr_ge0.
congr (_ / _); apply: eq_bigr => g _; exact: tauE.
Qed.

(** ** What a text shows *)

Theorem rule_no_diagonal : statement_rule_no_diagonal.
Proof.
move=> R H X m i h x x_in beta_gt0 one [D D_nz right]; have [r r0 eq_r] := right x x_in.
have [_ P_pos] := x_in; have [D_h beta_nz] : D h != 0 /\ beta m (embed m x) h != 0 by rewrite D_nz gt_eqF.
have := eq_r h; rewrite posterior0 /posterior joint_free.
have [p0|p_nz] := eqVneq (init m h) 0; have [P0|P_nz] := eqVneq (P_H m i h) 0; move: one; rewrite ?p0 ?P0 ?eqxx //.
- move=> _; rewrite mul0r mul0r !mulr0 => /eqP; rewrite !mulf_eq0 invr_eq0 (negbTE P_nz) (negbTE beta_nz) /=.
  have P_h : 0 < P_H m i h by rewrite lt0r P_nz P_H_ge0.
  rewrite -(sum_joint m _ i) gt_eqF // (bigD1 h) //=; apply: ltr_paddr.
    by apply: sumr_ge0 => g _; apply: joint_ge0; apply: cat_nonneg; [exact: nonneg_free | exact: nonneg_embed].
  by rewrite joint_free mulr_gt0.
- move=> _; rewrite !mul0r => /esym/eqP; rewrite !mulf_eq0 invr_eq0 (negbTE D_h) (negbTE p_nz) (negbTE beta_nz).
  by rewrite !gt_eqF.
by rewrite (negbTE p_nz) (negbTE P_nz) eqxx.
Qed.

Theorem rule_prior_misses : statement_rule_prior_misses.
Proof.
move=> R H X m h E x u xhat p0 P_pos beta_pos [D right].
have u01 : is_prompt u by move=> g; rewrite /u ler01 lexx.
have after : after_prompt m u h = P_H m 2 h by rewrite P_HS; apply: next_ext => g; rewrite mulr1.
have hat_pos : 0 < hat_masked_joint m u (xhat x) 2 h by rewrite hat_masked_prompt after mulr_gt0.
have prob_pos : 0 < hat_masked_prob m u (xhat x) 2.
  rewrite -sum_hat_masked_joint sum_gt0 => [|g]; first by apply/existsP; exists h.
  by apply: sumr_ge0 => z _; apply: joint_ge0; exact: nonneg_hat.
have [r /(_ h)] := right x prob_pos; rewrite posterior0 p0 !mul0r !mulr0 => /eqP.
by rewrite mulf_eq0 invr_eq0 !gt_eqF.
Qed.

Theorem rule_moved : statement_rule_moved.
Proof.
move=> R N M S X m g x moved c_pos beta_pos; rewrite -[free :: _]/(nseq 1 free ++ _) joint_free P_H_bar joint0.
move=> /(mulIf (lt0r_neq0 beta_pos))/(mulfI (lt0r_neq0 c_pos)); exact: moved.
Qed.

Theorem rule_prior_lacks : statement_rule_prior_lacks.
Proof.
move=> R N M S X m V j c h z c_pos c_V P2 P1; split; last first.
  rewrite /masked_hidden big1 // => g /eqP eq_h; apply/eqP; apply/negPn/negP => nz.
  have := masked_possible (isT : (1 <= 1 <= size [:: z])%N) nz.
  by rewrite P_H_bar eq_h P1 mulr0 ltxx.
rewrite /prompted_hidden (bigD1 (c, h)) //=; apply: ltr_paddr.
  by apply: sumr_ge0 => g _; apply: hat_masked_joint_ge0; exact: paper_prompt_is_prompt.
rewrite hat_masked_prompt mulr1; pose f (c : memory N M) := (c j \in V)%:R : R.
rewrite /after_prompt (@next_ext _ _ _ _ _ (fun g => f g.1 * P_H (hbar m) 1 g)) => [|g]; last exact: mulrC.
by rewrite next_memory /f c_V mul1r -P_HS P_H_bar mulr_gt0.
Qed.

Theorem rule_posterior_remains : statement_rule_posterior_remains.
Proof.
move=> R N M S X m K mu j l x [_ P_pos] u zero nz; split.
  rewrite P_hat_prob (prob_cons _ [::]) -[RHS]zero; apply: eq_bigr => g _.
  by rewrite /around /= -P_H1 mulrC mulrA.
rewrite (dot_posterior m (mu l) j (leq0n _)) mulf_neq0 ?invr_neq0 ?(lt0r_neq0 P_pos) //; apply: contra_neq nz => eq0.
by rewrite -[RHS]eq0; apply: eq_bigr => g _; rewrite joint0 mulrA.
Qed.

Lemma diagonal (R : realFieldType) (D w i b p P : R) : D * (w / p * (i * b / P)) = w * (D * i) * b / (p * P).
Proof. by rewrite mulf_div (mulrA D); congr (_ / _); rewrite mulrCA !mulrA. Qed.

Theorem rule_prior_covers : statement_rule_prior_covers.
Proof.
move=> R H X m u covers u01; pose D h := if init m h == 0 then 1 else (init m h)^-1; pose w := after_prompt m u.
have w0 h : 0 <= w h by exact: after_prompt_ge0.
have b0 x h : 0 <= beta m (embed m x) h by apply: beta_ge0; exact: nonneg_embed.
have w_covered h : w h != 0 -> 0 < init m h.
  move=> w_nz; apply: covers; rewrite lt0r P_H_ge0 andbT; apply: contraNneq w_nz => P0; apply/eqP.
  by apply: next_P_H_eq0 P0 => g ->; rewrite mul0r.
have w_init h : w h * (D h * init m h) = w h.
  have [->|/w_covered pos] := eqVneq (w h) 0; first by rewrite mul0r.
  by rewrite /D gt_eqF // mulVf ?mulr1 // gt_eqF.
exists D => [h|E x xhat]; first by rewrite /D; case: ifPn => [_|nz]; rewrite ?oner_neq0 ?invr_neq0.
pose s := \sum_h w h * beta m (embed m x) h.
have wb0 h : 0 <= w h * beta m (embed m x) h by exact: mulr_ge0.
have masked h : hat_masked_joint m u xhat 2 h = w h * beta m (embed m x) h by exact: hat_masked_prompt.
have eq_prob : hat_masked_prob m u xhat 2 = s by rewrite -sum_hat_masked_joint; apply: eq_bigr => g _.
split=> [|P_pos].
  rewrite eq_prob => s_pos; have P_pos : 0 < P_X m x.
    rewrite /P_X probE sum_gt0 => [|h]; last by rewrite mulr_ge0 ?(proj1 (init_law m)).
    move: s_pos; rewrite sum_gt0 // => /existsP[g g_pos]; apply/existsP; exists g.
    have : w g * beta m (embed m x) g != 0 by rewrite gt_eqF.
    rewrite mulf_eq0 negb_or => /andP[w_nz b_nz].
    by rewrite mulr_gt0 ?w_covered // lt0r b_nz b0.
  split=> //; exists (P_X m x / s) => [|h]; first exact: divr_gt0.
  rewrite masked joint_prompt posterior0 -/(w h) -[w h in RHS]divr1 diagonal w_init mul1r.
  by rewrite [RHS]mulrC [RHS]mulrA divfK ?gt_eqF.
have prob_p : prob m [:: u; free] = \sum_h w h.
  by rewrite -(sum_joint m _ 2); apply: eq_bigr => h _; exact: joint_prompt.
have term h : D h * (posterior m [:: u; free] 2 h * posterior m (embed m x) 0 h) =
    w h * beta m (embed m x) h / ((\sum_g w g) * P_X m x).
  by rewrite posterior0 /posterior joint_prompt prob_p diagonal w_init.
have [s0|s_nz] := eqVneq s 0.
  have wb_eq0 h : w h * beta m (embed m x) h = 0 by move: s0 => /psumr_eq0P -> // g _; exact: wb0.
  exists 1 => [|z]; first exact: ltr01.
  by rewrite Gbar_prompt // -/s s0 invr0 mulr0 mul1r big1 // => h _; rewrite term wb_eq0 mul0r mulr0.
have s_pos : 0 < s by rewrite lt0r s_nz sumr_ge0.
have p_pos : 0 < \sum_h w h.
  move: s_pos; rewrite !sum_gt0 // => /existsP[h wb_pos]; apply/existsP; exists h.
  by rewrite lt0r w0 andbT; apply: contraTneq wb_pos => ->; rewrite mul0r ltxx.
exists ((\sum_g w g) * P_X m x / s) => [|z]; first by rewrite divr_gt0 // mulr_gt0.
rewrite Gbar_prompt // -/s mulr_suml mulr_sumr; apply: eq_bigr => h _; rewrite term.
rewrite [RHS]mulrCA -[LHS]mulrA; congr (_ * _); rewrite [RHS]mulrC.
by rewrite [RHS]mulrA divfK // gt_eqF // mulr_gt0.
Qed.

Lemma quotient_of (R : realFieldType) (F P U B : R) : U != 0 -> P != 0 -> F / P / (U / B) * U * P = F * B.
Proof. by move=> U_nz P_nz; rewrite invf_div -(mulrA (F / P)) divfK // mulrAC divfK. Qed.

Theorem rule_posterior_moves : statement_rule_posterior_moves.
Proof.
move=> R N M S X m K mu j l x u b first second f u_pos other [P_pos equal].
have P_E : P_X (hbar m) x = \sum_g first g * b g by exact: probE.
have around1 g : around (hbar m) [::] (embed (hbar m) x) g = second g * b g by rewrite /around /= -P_H1.
have hat_E : P_hat (hbar m) u (prompted x) = \sum_g u g * second g * b g.
  by rewrite P_hat_prob (prob_cons _ [::]); apply: eq_bigr => g _; rewrite around1 mulrC mulrA.
have masked_E : hat_masked_prob (hbar m) u (prompted x) 1 = \sum_g second g * b g.
  rewrite -sum_hat_masked_joint; apply: eq_bigr => g _.
  by rewrite (hat_masked_jointE _ _ [::]) -around1 /embed -map_comp.
have left_E : \sum_g f g * (u g * second g * b g) =
    (\sum_(g : full N M S) mu l (g.1 j) * posterior (hbar m) (hat (hbar m) u (prompted x)) 0 g) *
    \sum_g u g * second g * b g.
  rewrite -hat_E mulr_suml hat_prompted.
  rewrite [RHS](eq_bigr (fun g : full N M S =>
    mu l (g.1 j) * joint (hbar m) (u :: embed (hbar m) x) 0 g)) => [|g _]; last first.
    by rewrite /posterior -mulrA P_hat_prob divfK // -P_hat_prob hat_E gt_eqF.
  rewrite -(sum_joint_memory m (fun c => mu l (c j)) (i := 1)) //; apply: eq_bigr => g _.
  by rewrite (joint_cons (hbar m) [::]) around1; congr (_ * _); rewrite [RHS]mulrC mulrA.
case: other => [zero|]; first by move: P_pos; rewrite P_E zero ltxx.
apply; rewrite left_E equal (dot_posterior m (mu l) j (leq0n _)) -P_E hat_E masked_E.
rewrite (eq_bigr (fun g => f g * (first g * b g))) => [|g _]; last by rewrite joint0.
by rewrite quotient_of ?gt_eqF.
Qed.

Theorem rule_values_alone : statement_rule_values_alone.
Proof.
move=> R N M S X m K mu j Hs a emb D r Hs_j all_D r0 values x i x_R i_I.
have [P_pos _] := in_R_Ihat x_R; move: (i_I) => /IhatP sure; have le_i : (1 <= i.+1 <= size x)%N by rewrite ltn_ord.
set z := tnth (in_tuple x) i; have z_E : nth z x i = z by rewrite -(tnth_nth z (in_tuple x) i).
have nz := masked_sum_neq0 P_pos le_i; have p0 g := masked_joint_ge0 m x i.+1 g.
exists (r * P_X (hbar m) x / \sum_g masked_joint (hbar m) x i.+1 g) => [|l].
  by rewrite divr_gt0 ?mass_gt0 // mulr_gt0.
rewrite valueE (eq_dot (p' := value_vector a l (emb z)) (q' := output m (masked_joint (hbar m) x i.+1))); last first.
- by move=> z'; rewrite G_output.
- by move=> z'; apply: eq_bigr => c _; rewrite letter_tnth.
have eq_sum : \sum_g dot (value_vector a l (emb z)) (memory_column m (read g)) * masked_joint (hbar m) x i.+1 g =
    r * \sum_(g : full N M S) mu l (g.1 j) * joint (hbar m) (embed (hbar m) x) i.+1 g.
  rewrite mulr_sumr; apply: eq_bigr => g _; rewrite (joint_masked m z g le_i) z_E.
  have [->|nz_g] := eqVneq (masked_joint (hbar m) x i.+1 g) 0; first by rewrite !mulr0.
  have g_D : read g \in D.
    have := masked_possible le_i nz_g; rewrite P_H_bar mul_gt0 ?memory_prob_ge0 ?P_H_ge0 // => /andP[c_pos h_pos].
    by rewrite [g]surjective_pairing; apply: all_D c_pos _ h_pos.
  have := values z l (read g) g_D; rewrite readE /= => -> //; last exact: sure.
  by rewrite (Hs_j _ (sure g nz_g)) -!mulrA.
rewrite dot_output (dot_posterior m (mu l) j (ltn_ord i : (i.+1 <= size x)%N)) eq_sum mulf_div (mulrAC r (P_X _ _)).
by rewrite -mulf_div divff ?mulr1 // gt_eqF.
Qed.

Theorem rule_prompt_reaches : statement_rule_prompt_reaches.
Proof.
move=> R H X m K mu reach B sub_B u E x P_pos masked0 l; have u01 : is_prompt u by exact: is_prompt_cover.
have b0 h : 0 <= beta m (embed m x) h by apply: beta_ge0; exact: nonneg_embed.
apply: big1 => h _; have [in_mu|notin_mu] := boolP (h \in supp mu); last by rewrite supp_notin ?mul0r.
have [init0|nz] := eqVneq (init m h) 0; first by rewrite posterior0 init0 !mul0r mulr0.
have [|g g_mu g_to] := reach h in_mu; first by rewrite lt0r nz (proj1 (init_law m)).
have := subsetP sub_B g g_mu; rewrite inE => /existsP[f /andP[f_B /g_to f_pos]].
have w_pos : 0 < after_prompt m u h.
  rewrite /after_prompt /next (bigD1 f) //=; apply: ltr_paddr; last by rewrite /u f_B mulr1.
  by apply: sumr_ge0 => f' _; rewrite !mulr_ge0 ?trans_ge0 ?P_H_ge0 ?ler0n.
have /psumr_eq0P zero : \sum_g hat_masked_joint m u (prompted (E :: x)) 2 g = 0 by rewrite sum_hat_masked_joint.
have /eqP : hat_masked_joint m u (prompted (E :: x)) 2 h = 0.
  by apply: zero => // g' _; rewrite hat_masked_prompt mulr_ge0 ?after_prompt_ge0.
by rewrite hat_masked_prompt mulf_eq0 (gt_eqF w_pos) /= posterior0 => /eqP ->; rewrite mulr0 mul0r mulr0.
Qed.

Theorem rule_unreached : statement_rule_unreached.
Proof.
move=> R H X m K mu B l k E x [_ P_pos] u zero differ; have u01 : is_prompt u by exact: is_prompt_cover.
have dot_E i : dot (mu i) (posterior m (embed m x) 0) = dot (task_rows m mu i) (beta_of m x) / P_X m x.
  by rewrite /dot mulr_suml; apply: eq_bigr => h _; rewrite posterior0 !mulrA.
split=> [z|]; last by rewrite !dot_E => /(mulIf (invr_neq0 (lt0r_neq0 P_pos))).
by rewrite Gbar_prompt // big1 ?mul0r // => h _; have -> := zero h; rewrite mulr0.
Qed.
