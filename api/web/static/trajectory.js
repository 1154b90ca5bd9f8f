// Plays an episode back step by step, and shows the steps of a running one as they are taken.
"use strict";
(() => {
  const list = document.getElementById("steps");
  const steps = () => [...list.querySelectorAll(".step")];
  let current = -1;
  let timer = 0;

  function go(to) {
    const all = steps();
    if (!all.length) return;
    current = Math.max(0, Math.min(to, all.length - 1));
    for (const step of all) step.classList.toggle("current", step === all[current]);
    all[current].scrollIntoView({ block: "start" });
    position.textContent = ` ${current + 1} of ${all.length}`;
    if (current === all.length - 1) stop();
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  }

  function toggle() {
    if (timer) return stop();
    if (current >= steps().length - 1) current = -1;
    play.textContent = "Pause";
    timer = setInterval(() => go(current + 1), 1200);
    go(current + 1);
  }

  const player = document.getElementById("player");
  const position = document.createElement("small");
  const button = (text, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "quiet";
    made.textContent = text;
    made.addEventListener("click", act);
    player.append(made, " ");
    return made;
  };
  button("Back", () => go(current - 1));
  const play = button("Play", toggle);
  button("Forward", () => go(current + 1));
  player.append(position);

  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select, button, pre, a") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j" || event.key === "ArrowRight") go(current + 1);
    else if (event.key === "k" || event.key === "ArrowLeft") go(current - 1);
    else if (event.key === " ") toggle();
    else return;
    event.preventDefault();
  });

  if (list.dataset.events) {
    const last = steps().at(-1);
    const after = last ? last.id.slice("step-".length) : "-1";
    const source = new EventSource(`${list.dataset.events}?after=${after}`);
    source.addEventListener("step", (event) => {
      const template = document.createElement("template");
      template.innerHTML = JSON.parse(event.data);
      if (!document.getElementById(template.content.querySelector(".step").id)) list.append(template.content);
    });
    source.addEventListener("over", () => {
      source.close();
      document.getElementById("state").textContent = "over";
    });
  }
})();
