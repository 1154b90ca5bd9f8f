"""The leaderboard: entries, scoring schemes, intervals, pages."""
