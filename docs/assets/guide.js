// The theme lets wide tables scroll; here a keyboard can scroll them, too.
const reachable = () => {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) {
    table.tabIndex = 0;
    table.setAttribute("role", "region");
    table.setAttribute("aria-label", "Table");
  }
};
new MutationObserver(reachable).observe(document.body, { childList: true, subtree: true });
reachable();
