"""The index: which entry holds which words. Derived from the files, and rebuilt from them."""
