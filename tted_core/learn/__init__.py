"""Teaching material: algorithms step by step, differences between orders, and exercises with answers.

Nothing here is used to compare maps; it shows on small maps how they are compared.
"""
