"""Systems side by side: what is known of each, and which of their figures may be compared."""
