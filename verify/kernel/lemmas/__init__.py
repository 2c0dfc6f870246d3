"""An annex: the lemmas of sections 9 and 10, on both kinds of models; no verdict on a theorem depends on it.

What a theorem needs too is in hmm and memory, which import nothing of this.
"""
