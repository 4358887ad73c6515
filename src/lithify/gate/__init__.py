"""The gate: a live job's record is summarised before the work goes on. Pure; `gatekeeper` wires it."""
