"""Many pairs of maps: what the pages Evaluate and Compare share of them."""
