// What an accessibility tree says and the document does not: where the focus is, and which boxes are neither checked nor
// unchecked, by their places in the document.
function unsaid(root) {
  const of = (one, at) => {
    const marks = one === root.activeElement ? ["focus"] : [];
    if (one.matches(":indeterminate")) marks.push("mixed");
    if (one.shadowRoot) marks.push(unsaid(one.shadowRoot));
    return marks.length ? [at, marks] : [];
  };
  return [root.hasFocus?.(), [...root.querySelectorAll("*")].flatMap(of)];
}
