(** Limits of scores, as docs/softmax.md uses them. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import definitions.hmm definitions.memory statements.refutations.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** What is D + t S, or less, and at least 0 for all large t grows by no less than 0. *)
Lemma slope_ge0 (R : archiFieldType) (n : nat) (D S : R) : (forall t, (n <= t)%N -> 0 <= D + t%:R * S) -> 0 <= S.
Proof.
move=> ge0; rewrite leNgt; apply/negP => S0.
have D0 : 0 <= `|D| / - S by rewrite divr_ge0 // oppr_ge0 ltW.
pose b := Num.bound (`|D| / - S); have := archi_boundP D0; rewrite -/b ltr_pdivr_mulr ?oppr_gt0 // mulrN => lt_b.
have := ge0 (maxn n b) (leq_maxl n b); apply/negP; rewrite -ltNge -(subrr D) ltr_add2l.
apply: le_lt_trans (_ : b%:R * S < _); first by rewrite ler_wnmul2r ?(ltW S0) // ler_nat leq_maxr.
by rewrite ltr_oppr; apply: le_lt_trans lt_b; exact: ler_norm.
Qed.

Theorem softmax_limit : statement_softmax_limit.
Proof.
move=> R I T S B r n large; have S0 k : 0 <= S k.
  apply: (@slope_ge0 _ n (B k)) => t /(large k)[T0]; rewrite ler_norml => /andP[_ le_B].
  by apply: le_trans T0 _; rewrite -ler_subl_addr.
split=> // r0 /eqP; rewrite psumr_eq0 => [/allP all0 k|k _]; last by rewrite mulr_ge0 // ltW.
by have := all0 k (mem_index_enum k); rewrite /= mulf_eq0 gt_eqF //= => /eqP.
Qed.
