"""Many pairs of maps: what the pages Batch, Systems and Compare share of them."""
