// An editor: a textarea, the numbers of its lines, and a layer behind it in which lines are lit.

import { h } from "./html.js";

// `onchange` is called after each edit, `onrun` on Ctrl+Enter.
export function editor(label, onchange, onrun) {
  const numbers = h("div");
  const marks = h("div.marks", { "aria-hidden": "true" });
  const area = h("textarea", { id: "program", wrap: "off", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": label });
  const element = h("div.editor", h("div.numbers", { "aria-hidden": "true" }, numbers), h("div.sheet", marks, area));
  let lines = 0;
  let lit = new Map(); // by line: { kind, column }

  const count = () => {
    const now = area.value.split("\n").length;
    if (now === lines) return;
    lines = now;
    numbers.parentElement.style.minWidth = `${String(lines).length + 2.5}ch`;
    numbers.textContent = Array.from({ length: lines }, (_, index) => index + 1).join("\n");
  };
  const scroll = () => {
    marks.style.transform = `translate(${-area.scrollLeft}px, ${-area.scrollTop}px)`;
    numbers.style.transform = `translateY(${-area.scrollTop}px)`;
  };
  const drawMarks = () => {
    const texts = area.value.split("\n");
    marks.replaceChildren(...[...lit].filter(([line]) => line <= texts.length).map(([line, { kind, column, strong }]) => {
      const text = texts[line - 1];
      const at = column > 1 && column <= text.length + 1 ? column - 1 : null;
      const mark = h("div", { class: `lit ${kind}${strong ? " strong" : ""}`, "data-line": line }, at === null ? null : [text.slice(0, at), h("mark", text[at] ?? " ")]);
      mark.style.top = `calc(${line - 1} * var(--line))`;
      return mark;
    }));
    scroll();
  };
  area.addEventListener("input", () => { lit = new Map(); count(); drawMarks(); onchange(); });
  area.addEventListener("scroll", scroll);
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onrun();
  });
  return {
    element,
    get text() { return area.value; },
    // Replace the text, as one step of the editor's own undo where the browser can.
    replace(text) {
      area.focus();
      area.select();
      const here = document.activeElement === area; // the command writes where the cursor is
      if (here) document.execCommand(text ? "insertText" : "delete", false, text);
      if (area.value !== text) area.value = text;
      lit = new Map();
      count();
      drawMarks();
      area.setSelectionRange(0, 0);
      area.scrollTop = 0;
      onchange();
    },
    // Begin with a text: nothing to undo.
    begin(text) {
      area.value = text;
      lit = new Map();
      count();
      drawMarks();
    },
    // Light lines: { line, column, kind }. Of several of a line the first counts.
    light(places) {
      lit = new Map();
      for (const { line, column, kind } of places) if (!lit.has(line)) lit.set(line, { kind, column });
      drawMarks();
    },
    // Light one line more than the others, or none.
    point(line) {
      for (const mark of marks.children) mark.classList.toggle("strong", Number(mark.dataset.line) === line);
    },
    lit: () => [...lit.keys()],
    // Go to a place: the rest of its line, from its column on, is selected.
    go(line, column = 1) {
      const texts = area.value.split("\n");
      if (line > texts.length) return;
      const start = texts.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
      const { length } = texts[line - 1];
      area.focus();
      area.setSelectionRange(start + Math.min(column - 1, length), start + length);
      const height = parseFloat(getComputedStyle(area).lineHeight);
      const top = (line - 1) * height;
      if (top < area.scrollTop || top > area.scrollTop + area.clientHeight - 3 * height) area.scrollTop = Math.max(0, top - area.clientHeight / 3);
      const wide = 0.6 * parseFloat(getComputedStyle(area).fontSize); // of a character, more or less
      area.scrollLeft = column * wide < 0.9 * area.clientWidth ? 0 : column * wide - area.clientWidth / 2;
      scroll();
    },
    focus: () => area.focus(),
  };
}
