// The review page: claims an answer, shows it with formulas, sends the credits. Texts are set as text, never as HTML.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const slug = $("sheet").dataset.benchmark;
  let key = "";
  let task = null;
  let started = 0;
  let row = 0;
  const credits = new Map();

  const say = (text) => {
    $("message").textContent = text;
    $("message").hidden = !text;
  };

  async function call(method, path, body) {
    const response = await fetch(path, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const told = response.status === 204 ? null : await response.json();
    if (!response.ok) throw new Error(`${told.title}: ${told.detail}`);
    return told;
  }

  const ENVIRONMENTS = ["equation", "align", "gather", "alignat"].flatMap((name) =>
    [name, `${name}*`].map((kind) => ({ left: `\\begin{${kind}}`, right: `\\end{${kind}}`, display: true })),
  );

  function write(element, text) {
    element.textContent = text;
    window.renderMathInElement(element, {
      delimiters: [
        { left: "$$", right: "$$", display: true },
        { left: "\\[", right: "\\]", display: true },
        { left: "$", right: "$", display: false },
        { left: "\\(", right: "\\)", display: false },
        ...ENVIRONMENTS,
      ],
      throwOnError: false,
      trust: false,
      maxExpand: 200,
      maxSize: 20,
    });
  }

  async function progress() {
    const state = await call("GET", `/v1/reviews/queue?benchmark=${encodeURIComponent(slug)}`);
    const pace = state.median_seconds === null ? "" : `, ${Math.round(state.median_seconds)} s each`;
    $("progress").textContent =
      `${state.waiting} waiting, ${state.settled} settled, ${state.disagreements} with a third reviewer; you graded ${state.yours}${pace}`;
  }

  const short = (points) => String(Number(points.toFixed(3)));

  function choose(criterion, credit) {
    credits.set(criterion, credit);
    draw();
  }

  function draw() {
    const rubric = task.sheet.rubric;
    let total = 0;
    rubric.criteria.forEach((criterion, number) => {
      const line = $("criteria").children[number];
      line.classList.toggle("current", number === row);
      for (const button of line.querySelectorAll("button")) {
        button.setAttribute("aria-pressed", String(credits.get(criterion.id) === Number(button.value)));
      }
      total += (credits.get(criterion.id) ?? 0) * criterion.points;
    });
    $("points").textContent = `${short(total)} of ${short(rubric.total ?? 10)} points before dependencies`;
    $("send").disabled = credits.size < rubric.criteria.length;
  }

  function cell(line, ...parts) {
    const element = document.createElement("td");
    element.append(...parts);
    line.append(element);
  }

  function build() {
    $("criteria").replaceChildren();
    for (const criterion of task.sheet.rubric.criteria) {
      const line = document.createElement("tr");
      const text = document.createElement("div");
      write(text, criterion.text);
      const needs = (criterion.requires ?? []).length ? ` Only if: ${criterion.requires.join(", ")}.` : "";
      const hint = document.createElement("small");
      const levels = [criterion.full && `Full: ${criterion.full}`, criterion.half && `Half: ${criterion.half}`,
        criterion.none && `None: ${criterion.none}`].filter(Boolean).join("  ·  ");
      write(hint, levels + needs);
      cell(line, text, hint);
      cell(line, `${short(criterion.points)} points`);
      const choices = criterion.half ? [[0, "none"], [0.5, "half"], [1, "full"]] : [[0, "none"], [1, "full"]];
      const buttons = choices.map(([value, name]) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "quiet credit";
        button.value = String(value);
        button.textContent = name;
        button.addEventListener("click", (event) => {
          choose(criterion.id, value);
          // After a click with the mouse, Enter sends.
          if (event.detail) button.blur();
        });
        return button;
      });
      cell(line, ...buttons);
      $("criteria").append(line);
    }
  }

  async function next() {
    say("");
    await progress();
    task = (await call("POST", "/v1/reviews/claim", { benchmark: slug })).task;
    $("sheet").hidden = !task;
    if (!task) {
      say("Nothing waits for you here. Answers that others are grading come back if they are given up.");
      return;
    }
    credits.clear();
    row = 0;
    started = Date.now();
    $("comment").value = "";
    const choices = task.sheet.choices.map((choice) => `(${choice.label}) ${choice.text}`).join("\n");
    write($("statement"), [task.sheet.statement, choices].filter(Boolean).join("\n\n"));
    write($("answer"), task.sheet.answer || "(empty)");
    write($("gold"), task.sheet.gold);
    write($("solution"), task.sheet.solution);
    build();
    draw();
  }

  async function send() {
    const body = {
      credits: Object.fromEntries(credits),
      comment: $("comment").value,
      seconds: Math.min(86400, (Date.now() - started) / 1000),
    };
    await call("POST", `/v1/reviews/${task.id}/vote`, body);
    await next();
  }

  async function giveBack() {
    await call("POST", `/v1/reviews/${task.id}/release`);
    task = null;
    $("sheet").hidden = true;
    say("Given back. Begin again when you like.");
    $("enter").hidden = false;
  }

  const attempt = (work) => work().catch((error) => say(error.message));

  $("enter").addEventListener("submit", (event) => {
    event.preventDefault();
    key = $("key").value.trim();
    attempt(async () => {
      await next();
      $("enter").hidden = true;
    });
  });
  $("send").addEventListener("click", () => attempt(send));
  $("skip").addEventListener("click", () => attempt(giveBack));
  document.addEventListener("keydown", (event) => {
    if (!task || ["TEXTAREA", "INPUT"].includes(event.target.tagName)) return;
    // The browser's own keys stay its own, and Enter on a button presses that button.
    if (event.ctrlKey || event.metaKey || event.altKey || (event.key === "Enter" && event.target.tagName === "BUTTON")) return;
    const criteria = task.sheet.rubric.criteria;
    const credit = { 0: 0, 5: 0.5, 1: 1 }[event.key];
    if (credit !== undefined && (credit !== 0.5 || criteria[row].half)) {
      choose(criteria[row].id, credit);
      row = Math.min(row + 1, criteria.length - 1);
    } else if (event.key === "ArrowDown") row = Math.min(row + 1, criteria.length - 1);
    else if (event.key === "ArrowUp") row = Math.max(row - 1, 0);
    else if (event.key === "Enter" && !$("send").disabled) attempt(send);
    else if (event.key === "Escape") attempt(giveBack);
    else return;
    event.preventDefault();
    if (task) {
      draw();
      $("criteria").children[row]?.scrollIntoView({ block: "nearest" });
    }
  });
})();
