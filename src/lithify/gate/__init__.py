"""The gate: a live job's record must be summarised before the work goes on.

`decide`, `jobs` and `submission` are pure, `texts` holds the words. `files`, `closed` and `day_log`
read and write the disk. `gatekeeper` joins them into the gate of one root. This file imports nothing,
because the hook before each tool call loads it.
"""
