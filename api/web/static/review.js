// Keys and running points for the review page; the form itself works without.
"use strict";
(() => {
  const form = document.getElementById("sheet");
  if (!form) return;
  const criteria = [...document.querySelectorAll(".criterion")];
  const send = document.getElementById("send");
  const started = Date.now();
  let row = 0;

  document.getElementById("keys").hidden = false;
  const short = (points) => String(Number(points.toFixed(3)));
  const chosen = (criterion) => criterion.querySelector("input:checked");
  const option = (criterion, value) => criterion.querySelector(`input[value="${value}"]`);

  function draw() {
    let total = 0;
    criteria.forEach((criterion, place) => {
      criterion.classList.toggle("current", place === row);
      total += Number(chosen(criterion)?.value ?? 0) * Number(criterion.dataset.points);
    });
    document.getElementById("points").textContent =
      `${short(total)} of ${short(Number(form.dataset.total))} points before dependencies`;
    send.disabled = !criteria.every(chosen);
  }

  form.addEventListener("change", (event) => {
    const place = criteria.findIndex((criterion) => criterion.contains(event.target));
    if (place >= 0) row = place;
    draw();
  });
  form.addEventListener("submit", () => {
    form.elements.seconds.value = String(Math.min(86400, (Date.now() - started) / 1000));
  });
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (target.tagName === "TEXTAREA" || event.ctrlKey || event.metaKey || event.altKey) return;
    // Enter on a button or a link does what that says.
    if (event.key === "Enter" && ["BUTTON", "A", "SUMMARY"].includes(target.tagName)) return;
    const credit = { 0: "0", 5: "0.5", 1: "1" }[event.key];
    const box = credit !== undefined && option(criteria[row], credit);
    if (box) {
      box.checked = true;
      row = Math.min(row + 1, criteria.length - 1);
    } else if (event.key === "ArrowDown") row = Math.min(row + 1, criteria.length - 1);
    else if (event.key === "ArrowUp") row = Math.max(row - 1, 0);
    else if (event.key === "Enter" && !send.disabled) form.requestSubmit(send);
    else if (event.key === "Escape") form.requestSubmit(document.getElementById("skip"));
    else return;
    event.preventDefault();
    draw();
    criteria[row].scrollIntoView({ block: "nearest" });
  });
  draw();
})();
