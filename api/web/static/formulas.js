// Sets the formulas of a page; without scripts they are read as TeX.
"use strict";
for (const element of document.querySelectorAll(".formulas")) {
  window.renderMathInElement(element, {
    delimiters: [
      { left: "$$", right: "$$", display: true },
      { left: "\\[", right: "\\]", display: true },
      { left: "$", right: "$", display: false },
      { left: "\\(", right: "\\)", display: false },
    ],
    throwOnError: false,
    trust: false,
    maxExpand: 200,
  });
}
