"""Other measures: of two texts, of maps as bags of sentences, of sets of sentences."""
