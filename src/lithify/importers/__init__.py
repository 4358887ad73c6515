"""Importers: what other tools have kept becomes entries of days. One file per source."""
