"""What a browser step costs: by stage and process, and beside BrowserGym. See `__main__`."""
