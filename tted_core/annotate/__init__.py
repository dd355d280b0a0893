"""What annotators need: checks of one map, agreement of several, reviews that are kept."""
