"""HTML pages: server-rendered, working without JavaScript, nothing loaded from elsewhere."""
