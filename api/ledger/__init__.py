"""The exposure ledger: sealed into a hash chain, shown to owners, and looked through for scraping."""
