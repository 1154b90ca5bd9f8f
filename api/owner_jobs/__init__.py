"""What owners ask of a worker: diffs between releases, exports, retirement, previews of regradings, item statistics."""
