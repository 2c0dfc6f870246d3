"""An annex: the lemmas of sections 9 and 10, on both kinds of models; no verdict on a theorem depends on it.

Here: a rule for each lemma. Not here: what a theorem needs too; that is in `hmm` and `memory`, which import nothing of
this.
"""
