"""The mapping of two maps as outlines or as a graph, and what is selected in it; Compare and Annotate show it."""
