"""IO500: phases, score, hashes, rules."""
