"""What Lithify is compared with: simple methods, other people's questions, and surer figures."""
