// Sets the formulas of a page; without scripts they are read as TeX.
"use strict";
const environments = ["equation", "align", "gather", "alignat"].flatMap((name) =>
  [name, `${name}*`].map((kind) => ({ left: `\\begin{${kind}}`, right: `\\end{${kind}}`, display: true })),
);
for (const element of document.querySelectorAll(".formulas")) {
  window.renderMathInElement(element, {
    delimiters: [
      { left: "$$", right: "$$", display: true },
      { left: "\\[", right: "\\]", display: true },
      { left: "$", right: "$", display: false },
      { left: "\\(", right: "\\)", display: false },
      ...environments,
    ],
    throwOnError: false,
    trust: false,
    maxExpand: 200,
    maxSize: 20,
  });
}
