"""Other measures: of two texts, of corpora, of paraphrases."""
