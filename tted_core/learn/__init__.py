"""What a class needs to see: the algorithm step by step, what the orders allow, and exercises with answers.

Nothing here is used to compare maps; it shows how maps are compared, on small ones.
"""
