"""What outlives its week: rules, preferences, places, reasons, and what takes them back."""
