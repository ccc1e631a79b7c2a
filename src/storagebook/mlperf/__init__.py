"""MLPerf Storage: workloads, demand, naming rules."""
