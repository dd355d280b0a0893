"""The parts of the Measures page: texts and sets of sentences by measures besides TTED."""
