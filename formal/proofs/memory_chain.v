(** The chain Hbar_i = (M, H_i) has the law of the memory HMM. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory proofs.paths.

Section MemoryChain.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Implicit Types (x : seq X) (c : memory N M) (h : hidden N S) (gs : seq (full N M S)).

(** The letters that a text is, for the memory c. *)
Definition letters_of c x : seq (letter R (hidden N S)) := [seq (fun h => memit m z (read (c, h))) | z <- x].

Lemma memory_path_probE x c h0 hs :
  memory_path_prob m x c h0 hs = memory_prob m c * minit m h0 * path_factor (chain m) (letters_of c x) h0 hs.
Proof. by rewrite /path_factor size_map. Qed.

Lemma hbar_path_factor x c h0 gs : size gs = size x -> path_factor (hbar m) (embed (hbar m) x) (c, h0) gs =
  (all (fun g => g.1 == c) gs)%:R * path_factor (chain m) (letters_of c x) h0 (map snd gs).
Proof.
elim: x h0 gs => [|z x IH] h0 [|[c' h] gs] //=; first by rewrite !path_factor_nil mulr1.
case=> eq_size; rewrite !path_factor_cons ?size_map //= /bar_trans /bar_emit /=.
by have [->|_] := eqVneq c' c; rewrite ?mul0r // mul1r IH // mulrCA.
Qed.

End MemoryChain.

Theorem hbar_path_law : statement_hbar_path.
Proof.
move=> R N M S X m x c h0 gs eq_size; rewrite memory_path_probE /path_prob -/(path_factor (hbar m) _ _ _) hbar_path_factor //.
by case: (all _ _); rewrite ?mul1r // mul0r mulr0.
Qed.
