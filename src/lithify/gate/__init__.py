"""The gate: a live job's record must be summarised before the work goes on.

`decide`, `jobs`, `sections`, `submission` and `texts` are pure. `files`, `closed`, `sessions`,
`cached_settings` and `feed` read and write the disk. `gatekeeper` joins them into the gate of one
root. This file imports nothing, because the hook before each tool call loads it.
"""
