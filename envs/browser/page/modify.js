// TurkingBench's library by field name. Answers "" when done, else why not. A text field is left focused and selected.
([kind, name, value]) => {
  const all = [...document.querySelectorAll(`[name="${CSS.escape(name)}"]`)];
  const fields = all.filter((e) => ["INPUT", "SELECT", "TEXTAREA"].includes(e.tagName));
  if (!fields.length && kind !== "submit") return `there is no field named ${JSON.stringify(name)} on this page`;
  const changed = (field) => {
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const whole = (text) => (/^-?\d+\.0+$/.test(text) ? text.replace(/\.0+$/, "") : text);
  const boxes = (type) => fields.filter((field) => field.type === type);
  const values = (list) => list.map((field) => field.value).join(" | ");
  const tasks = {
    submit: () => {
      // `name` is the field that was filled in last: on a page with several forms it tells which of them is meant.
      const filled = (fields.find((e) => e.form && e.checkVisibility()) || { form: null }).form;
      const buttons = "input[type=submit], button[type=submit], form button:not([type])";
      const button = (filled || document).querySelector(buttons);
      const form = filled || (button && button.form) || document.forms[0];
      if (!form) return "there is no form on this page";
      const wrong = [...form.elements].find((field) => field.willValidate && !field.checkValidity());
      if (wrong && !form.noValidate)
        return `the form is not complete: ${JSON.stringify(wrong.name)}: ${wrong.validationMessage}`;
      if (button) button.click();
      else form.requestSubmit();
      return "";
    },
    show: () => (fields[0].scrollIntoView({ block: "center" }), ""),
    text: () => {
      const field = fields.find((e) => e.checkVisibility() && e.type !== "hidden") || fields[0];
      if (typeof field.select !== "function" || ["radio", "checkbox", "range"].includes(field.type))
        return `${JSON.stringify(name)} is not a text field`;
      if (field.readOnly || field.disabled) return `${JSON.stringify(name)} is disabled or read-only`;
      if (!field.checkVisibility() || field.type === "hidden") return `${JSON.stringify(name)} is hidden`;
      field.scrollIntoView({ block: "center" });
      field.focus();
      field.select();
      return "";
    },
    radio: () => {
      const found = boxes("radio").find((e) => e.value === value) || boxes("radio").find((e) => e.value === whole(value));
      if (!found) return `${JSON.stringify(name)} has no button ${JSON.stringify(value)}; it has: ${values(boxes("radio"))}`;
      if (!found.checked) found.click();
      return found.checked ? "" : `the page did not take ${JSON.stringify(value)}`;
    },
    checkbox: () => {
      const known = boxes("checkbox");
      const parts = value === "" ? [] : value.split("|");
      const wanted = parts.map((part) => (known.some((e) => e.value === part) ? part : whole(part)));
      const missing = wanted.find((part) => !known.some((e) => e.value === part));
      if (missing !== undefined)
        return `${JSON.stringify(name)} has no box ${JSON.stringify(missing)}; it has: ${values(known)}`;
      known.filter((e) => e.checked !== wanted.includes(e.value)).forEach((e) => e.click());
      return "";
    },
    select: () => {
      const list = fields.find((e) => e.tagName === "SELECT");
      if (!list) return `${JSON.stringify(name)} is not a list`;
      const options = [...list.options];
      const find = (wanted) => options.find((o) => o.value === wanted) || options.find((o) => o.label.trim() === wanted);
      const chosen = find(value) || find(whole(value));
      if (!chosen)
        return `${JSON.stringify(name)} has no option ${JSON.stringify(value)}; it has: ${values(options)}`;
      list.value = chosen.value;
      changed(list);
      return "";
    },
    range: () => {
      const slider = boxes("range")[0];
      if (!slider) return `${JSON.stringify(name)} is not a slider`;
      const number = Number(value);
      if (value.trim() === "" || !Number.isFinite(number)) return `a slider takes a number, not ${JSON.stringify(value)}`;
      slider.value = String(number);
      changed(slider);
      return Number(slider.value) === number ? "" : `the slider went to ${slider.value}, the nearest to ${value}`;
    },
  };
  return tasks[kind]();
}
