(** What the slopes say of a head that is never wrong: z, c, and a where it may mislead, are worth nothing. *)

From Headproof Require Import definitions.prelude proofs.softmax_setting proofs.softmax_families proofs.softmax_texts
  proofs.softmax_slopes proofs.softmax_numbers.

Implicit Types (x y : text) (q : tableq) (k : 'I_2) (h : 'I_10).
Opaque reach_t past_t ahead_t total worth.

Section Values.

Variable R : archiFieldType.
Notation m := (of_table R T_valid).
Notation bar := (hbar m).
Notation embed := (embed bar).
Notation of_Q := (of_Q R).
Notation Hbar := (full 1 (ordinal_finType 2) (ordinal_finType 10)).
Notation state := (@state 2 10).
Notation st := (@start 2 10 s_l R).
Notation reach := (reach m st).
Notation Hs := (recoverable ord0 the_h).
Notation V := (binary (mu_0 R)).
Implicit Types (f L : Hbar -> R) (g : Hbar) (t : 'I_14).

(** ** What a head makes of a text *)

Variables (a : attention R 1 (ordinal_finType 2) (ordinal_finType 10) (ordinal_finType 14) 1) (w : R -> R).
Variables (n : nat) (emb : 'I_14 -> cell_state 1 (ordinal_finType 2) (ordinal_finType 10) -> R) (r : 'I_2 -> R).
Hypothesis w_gt0 : forall s, 0 < w s.
Hypothesis settled : forall i, (n <= i)%N -> position_score a i = position_score a n.
Hypothesis r_ge0 : forall k, 0 <= r k.

Variables (i0 : nat) (D : R).
Notation worth := (@worth R a emb).
Notation fails := (@fails R a w emb r i0 D).
Hypothesis r_some : 0 < r first + r second.

Lemma of_Q_numbers : [/\ of_Q (3#1) = 3%:R, of_Q (9#1) = 9%:R, of_Q 1%coqQ = 1 & of_Q 0%coqQ = 0].
Proof.
have three : of_Q (3#1) = 3%:R.
  by rewrite -[(3#1)%coqQ]/(1 + (1 + 1))%coqQ !of_QD of_Q1 -[3%N]/(1 + (1 + 1))%N !natrD.
split; rewrite ?of_Q0 ?of_Q1 //.
by rewrite -[(9#1)%coqQ]/((3#1) * (3#1))%coqQ of_QM three -natrM.
Qed.

Definition slope_of F := @slope R a emb r F.

Opaque numbers.of_Q.
Lemma slope_two F t (h1 h2 : 'I_10) e e' e0 e1 e0' e1' :
  h1 != h2 -> weights F = at_states h1 h2 e e' -> repeated F = t ->
  (nth 0 e 0 = e0)%coqQ -> (nth 0 e 1 = e1)%coqQ -> (nth 0 e' 0 = e0')%coqQ -> (nth 0 e' 1 = e1')%coqQ -> slope_of F =
  r first * (of_Q e0 * worth t first h1 + of_Q e0' * worth t first h2) +
  r second * (of_Q e1 * worth t second h1 + of_Q e1' * worth t second h2).
Proof. by move=> neq eq_w <- <- <- <- <-; rewrite /slope_of (slope_at _ _ _ neq eq_w). Qed.

Notation two F t h1 h2 e0 e1 e0' e1' := (@slope_two F t h1 h2 _ _ e0%coqQ e1%coqQ e0'%coqQ e1'%coqQ
  isT erefl erefl erefl erefl erefl erefl).

Lemma family_or dead one F : good dead one F -> (forall k, dead k -> r k = 0) ->
  (exists x, fails x) \/ (if one then 0 <= slope_of F else slope_of F <= 0).
Proof. by move=> F_good deadP; exact: (family_slope emb w_gt0 settled r_ge0 i0 D F_good deadP).
Qed.

Lemma d_alike t : worth t second s_d = worth t first s_d. Proof. by apply: worth_alike; vm_compute. Qed.
Lemma g_alike t : worth t second s_g1 = worth t first s_g2. Proof. by apply: worth_alike; vm_compute. Qed.
Lemma g_alike' t : worth t second s_g2 = worth t first s_g1. Proof. by apply: worth_alike; vm_compute. Qed.

Lemma not_dead k : alive k -> r k = 0. Proof. by []. Qed.

Lemma z_worthless : (exists x, fails x) \/
  [/\ r first * worth t_z first s_h = 0, r second * worth t_z second s_h = 0 & worth t_z first s_d = 0].
Proof.
have [q3 q9 q1 q0] := of_Q_numbers.
case/andP: good_both => g1 /andP[g2 /andP[g3 /andP[g4 _]]].
have [|h1] := family_or g1 not_dead; first by left.
have [|h2] := family_or g2 not_dead; first by left.
have [|h3] := family_or g3 not_dead; first by left.
have [|h4] := family_or g4 not_dead; first by left.
right; move: h1 h2 h3 h4.
rewrite (two Z1 t_z s_h s_d (3#1) 1 0 0).
rewrite (two Z2 t_z s_h s_d 1 1 0 0).
rewrite (two Z3 t_z s_h s_d (3#1) 1 1 (3#1)).
rewrite (two Z4 t_z s_h s_d (3#1) (3#1) (9#1) 1).
rewrite q0.
rewrite q1.
rewrite q3.
rewrite q9.
rewrite (d_alike t_z).
rewrite !mul0r !addr0 !mul1r.
move=> h1 h2 h3 h4; exact: (z_arith (r_ge0 first) (r_ge0 second) r_some h1 h2 h3 h4).
Qed.

Lemma c_worthless : (exists x, fails x) \/ worth t_c first s_g1 = 0 /\ worth t_c first s_g2 = 0.
Proof.
have [q3 q9 q1 q0] := of_Q_numbers.
case/andP: good_both => _ /andP[_ /andP[_ /andP[_ /andP[g1 /andP[g2 /andP[g3 g4]]]]]].
have [|h1] := family_or g1 not_dead; first by left.
have [|h2] := family_or g2 not_dead; first by left.
have [|h3] := family_or g3 not_dead; first by left.
have [|h4] := family_or g4 not_dead; first by left.
right; move: h1 h2 h3 h4.
rewrite (two C1 t_c s_g1 s_g2 (3#1) 1 0 0).
rewrite (two C2 t_c s_g1 s_g2 1 1 0 0).
rewrite (two C3 t_c s_g2 s_g1 (3#1) 1 0 0).
rewrite (two C4 t_c s_g2 s_g1 1 1 0 0).
rewrite q0 q1 q3 (g_alike t_c) (g_alike' t_c) !mul0r !addr0 !mul1r => h1 h2 h3 h4.
exact: (c_arith (r_ge0 first) (r_ge0 second) r_some h1 h2 h3 h4).
Qed.

Lemma a_worthless : (exists x, fails x) \/
  worth t_a first s_g2 = 0 /\ (r second != 0 -> r first * worth t_a first s_g1 = 0).
Proof.
have [q3 q9 q1 q0] := of_Q_numbers.
case/and5P: good_A => g1 g2 g3 g4 /andP[g5 g6].
have [|h1] := family_or g1 not_dead; first by left.
have [|h2] := family_or g2 not_dead; first by left.
have [|h3] := family_or g3 not_dead; first by left.
have [|h4] := family_or g4 not_dead; first by left.
have h5 : r first = 0 -> (exists x, fails x) \/ 0 <= slope_of A5.
  by move=> r0; apply: (family_or g5) => k /eqP->.
have h6 : r second = 0 -> (exists x, fails x) \/ slope_of A6 <= 0.
  by move=> r0; apply: (family_or g6) => k /eqP->.
move: h1 h2 h3 h4 h5 h6.
rewrite (two A1 t_a s_g1 s_g2 1 0 0 0).
rewrite (two A2 t_a s_g1 s_g2 0 1 0 0).
rewrite (two A3 t_a s_g2 s_g1 1 0 0 0).
rewrite (two A4 t_a s_g2 s_g1 0 1 0 0).
rewrite (two A5 t_a s_g1 s_g2 (9#1) 1 0 0).
rewrite (two A6 t_a s_g2 s_g1 1 (9#1) 0 0).
rewrite q0 q1 q9 (g_alike t_a) (g_alike' t_a) !mul0r !addr0 !mul1r !mulr0 ?addr0 ?add0r => h1 h2 h3 h4 h5 h6.
have end_ := a_arith (r_ge0 first) (r_ge0 second) r_some h1 h2 h3 h4.
have ends5 : (exists x, fails x) \/ (r first = 0 -> 0 <= r second * worth t_a first s_g2).
  have [r10|/eqP r1n] := eqVneq (r first) 0; last by right=> r10; case: (r1n r10).
  case: (h5 r10) => [|h5']; first by left.
  by right=> _; rewrite r10 mul0r add0r in h5'.
have ends6 : (exists x, fails x) \/ (r second = 0 -> r first * worth t_a first s_g2 <= 0).
  have [r20|/eqP r2n] := eqVneq (r second) 0; last by right=> r20; case: (r2n r20).
  case: (h6 r20) => [|h6']; first by left.
  by right=> _; rewrite r20 mul0r addr0 in h6'.
case: ends5 => [|h5']; first by left.
case: ends6 => [|h6']; first by left.
by right; exact: (end_ h5' h6').
Qed.

End Values.
