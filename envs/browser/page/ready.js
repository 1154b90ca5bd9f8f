// Resolves when the page is ready, by what it says itself: loaded, its fonts there, no flag that says otherwise, and
// unchanged for three frames. A page that never stops moving is as ready as it gets after 30 frames in which nothing
// else was left to wait for. CONDITIONS are the owner's own.
() => new Promise((done) => {
  const holds = () => {
    try {
      return CONDITIONS;
    } catch {
      return false;
    }
  };
  const waits = () =>
    document.readyState !== "complete" ||
    document.fonts?.status === "loading" ||
    document.documentElement?.dataset.heldoutReady === "false" ||
    !holds();
  let unchanged = 0;
  let frames = 0;
  const watch = new MutationObserver(() => (unchanged = 0));
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  // A frame, and whatever was to be done after it; a page that is not shown has no frames.
  const next = () => (document.hidden ? setTimeout(look) : requestAnimationFrame(() => setTimeout(look)));
  const look = () => {
    if (waits()) {
      unchanged = frames = 0;
    } else {
      unchanged++;
      frames++;
    }
    if (unchanged < 3 && frames < 30) return next();
    watch.disconnect();
    done(true);
  };
  setTimeout(look);
})
