"""What every package uses and no user sees: files, languages, lazy imports, JSON, English."""
