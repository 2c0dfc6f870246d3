"""An annex: the lemmas of sections 9 and 10, on both kinds of models; no verdict on a theorem depends on it.

Here: what only lemmas need. Not here: what a theorem needs too (`hmm`, `memory`, which import nothing from this room).
"""
