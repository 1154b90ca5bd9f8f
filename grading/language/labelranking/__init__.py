"""Which label a multiple-choice response chooses whose sentences leave it open, by weights fitted to labelled ones."""
