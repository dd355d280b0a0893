"""Other measures: of two texts, of paraphrases."""
