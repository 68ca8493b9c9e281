// What the page says of parts of an answer, without a browser: elements that have text, and nothing else.
//
//   node page_words.mjs path/to/static < [{"puzzle": ..., "looking": false, "found": {...}}, ...]

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

class Element {
  constructor() { this.parts = []; this.className = ""; this.style = { setProperty() {} }; this.dataset = {}; this.classList = { toggle() {}, add() {} }; }
  append(...parts) { this.parts.push(...parts); }
  replaceChildren(...parts) { this.parts = parts; }
  setAttribute() {}
  addEventListener() {}
  get words() { return this.parts.map((part) => (part instanceof Element ? part.words : String(part))).join(""); }
}

globalThis.Node = Element;
globalThis.document = { createElement: () => new Element(), getElementById: () => new Element(), querySelector: () => null };
globalThis.location = { hash: "" };
const from = (name) => import(pathToFileURL(`${process.argv[2]}/${name}`));
const [{ state }, { verdict, why }] = [await from("store.js"), await from("findings.js")];
const told = JSON.parse(readFileSync(0, "utf-8")).map((one) => {
  Object.assign(state, one);
  return { verdict: verdict(), why: why().flat(Infinity).filter(Boolean).map((part) => part.words) };
});
console.log(JSON.stringify(told));
