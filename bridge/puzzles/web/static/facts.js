// Facts and texts of patterns, which the server reads off the declarations of a kind (bridge/puzzles/web/tools.py).
// A pattern is a name and its arguments: a list of one name for a placeholder, otherwise a term as clingo writes it.

const apart = new Map(); // by fact: its name and its arguments

function parse(fact) {
  if (!apart.has(fact)) {
    const [, name, inside] = fact.match(/^(-?_*[a-z][\w']*)(?:\((.*)\))?$/s);
    apart.set(fact, { name, args: inside === undefined ? [] : split(inside) });
  }
  return apart.get(fact);
}

// The arguments in a text: it is split at commas outside of parentheses and strings.
function split(text) {
  const pieces = [];
  let depth = 0;
  let quoted = false;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (quoted) {
      if (sign === "\\") at++;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === "(") depth++;
    else if (sign === ")") depth--;
    else if (depth === 0 && sign === ",") {
      pieces.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...pieces, text.slice(start)];
}

// The values of the placeholders of a pattern in a fact, by name; null when it is none of the pattern.
export function bind([name, wanted], fact) {
  const { name: own, args } = parse(fact);
  if (own !== name || args.length !== wanted.length) return null;
  const found = {};
  for (const [index, one] of wanted.entries()) {
    if (typeof one !== "string") (found[one[0]] ??= []).push(args[index]);
    else if (one !== args[index]) return null;
  }
  return found;
}

export const copied = (values) => Object.fromEntries(Object.entries(values).map(([key, those]) => [key, [...those]]));

// The fact of a pattern with these values; what was read is used up, as several facts may share a text.
export function make([name, args], values, texts = {}) {
  const left = copied(values);
  return `${name}(${args.map((one) => (typeof one === "string" ? one : (texts[one[0]] ?? left[one[0]]).shift())).join(",")})`;
}

export const cellsOf = ({ row = [], column = [] }) => row.map((r, index) => [Number(r), Number(column[index])]);
export const places = (cells) => ({ row: cells.map(([r]) => r), column: cells.map(([, c]) => c) });

// Texts. A word is a constant where it looks like one, otherwise a string.

const term = (name, text) => (name === "number" ? String(Number(text)) : /^_*[a-z]\w*'*$/.test(text) || (name === "value" && /^-?\d+$/.test(text)) ? text : JSON.stringify(text));
const plain = (text) => (text.startsWith('"') ? JSON.parse(text) : text);
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// What a text holds in a form; null when it has another form.
export function read({ parts }, text) {
  const forms = parts.map((part) => (typeof part === "string" ? escaped(part) : part[0] === "number" ? "(-?\\d{1,9})" : "(.+?)"));
  const found = text.trim().match(new RegExp(`^${forms.join("\\s*")}$`));
  if (!found) return null;
  const values = {};
  parts.filter((part) => typeof part !== "string").forEach(([name], index) => (values[name] ??= []).push(term(name, found[index + 1])));
  return values;
}

export function shown({ parts }, values) {
  const left = copied(values);
  return parts.map((part) => (typeof part === "string" ? part : plain(left[part[0]]?.shift() ?? ""))).join("");
}
