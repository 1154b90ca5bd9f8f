// What the actions by element id ask of one element. Answers "" when done, else what is wrong with the element.
(element, task, text) => {
  const named = element.nodeType === 1 ? element : element.parentElement;
  const label = named.closest("label");
  const node = (label && !named.matches("input, select, textarea, button") && label.control) || named;
  const changed = () => {
    node.dispatchEvent(new Event("input", { bubbles: true }));
    node.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const tasks = {
    tag: () => node.tagName,
    select_content: () => {
      if (node.disabled || node.readOnly) return "is disabled or read-only";
      node.focus();
      if (typeof node.select === "function") node.select();
      else if (node.isContentEditable) getSelection().selectAllChildren(node);
      else return "is not a field that takes text";
      return "";
    },
    select_option: () => {
      if (node.tagName !== "SELECT") return "is not a list of options";
      if (node.disabled) return "is disabled";
      const options = [...node.options];
      const find = (wanted) =>
        options.find((o) => o.label.trim() === wanted) || options.find((o) => o.value === wanted);
      const whole = find(text.trim());
      const wanted = whole || !node.multiple ? [whole] : text.split("|").map((part) => find(part.trim()));
      if (wanted.some((option) => !option))
        return `has no option ${JSON.stringify(text)}; it has: ${options.map((o) => o.label.trim()).join(" | ")}`;
      options.forEach((option) => (option.selected = wanted.includes(option)));
      changed();
      return "";
    },
    mark_upload: () => {
      if (node.tagName !== "INPUT" || node.type !== "file") return "is not a file field";
      node.setAttribute("data-heldout-upload", "");
      return "";
    },
    unmark_upload: () => (node.removeAttribute("data-heldout-upload"), ""),
  };
  return tasks[task]();
}
