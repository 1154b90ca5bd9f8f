// Every named field of the page, in the order of the document, as a person would find it.
() => {
  const ours = ["csrfmiddlewaretoken", "worker_ip", "ee", "submit"];
  const shown = (field) => {
    if (field.type === "hidden" || !field.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const { width, height } = field.getBoundingClientRect();
    return width > 0 && height > 0;
  };
  const kind = (field) => (field.tagName === "INPUT" ? field.type : field.tagName.toLowerCase());
  const found = new Map();
  for (const field of document.querySelectorAll("input[name], select[name], textarea[name]")) {
    const type = kind(field);
    if (!field.name || ours.includes(field.name) || ["submit", "button", "image", "reset"].includes(type)) continue;
    const entry = found.get(field.name) || {
      name: field.name, type, visible: shown(field), required: field.required,
      disabled: field.disabled, values: [], options: [], min: null, max: null,
    };
    found.set(field.name, entry);
    if (type === "radio" || type === "checkbox") {
      if (entry.type !== type) continue;
      entry.options.push(field.value);
      if (field.checked) entry.values.push(field.value);
      // A choice is there for a person as soon as one of its buttons is.
      entry.any = entry.any || shown(field);
    } else if (entry.read) {
      continue;
    } else if (type === "select") {
      entry.options = [...field.options].map((option) => option.value);
      entry.values = [...field.selectedOptions].map((option) => option.value);
    } else {
      entry.values = [field.value];
      if (type === "range") [entry.min, entry.max] = [Number(field.min || 0), Number(field.max || 100)];
    }
    entry.read = true;
  }
  return [...found.values()].map(({ read, any, ...entry }) => ({ ...entry, reachable: entry.visible || any || false }));
}
