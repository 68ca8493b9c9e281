// Terms as text: atoms of a model, arguments, constants; and values of Prolog, which come as JSON.

// Split a text where a character of `separators` stands outside of parentheses and strings; empty pieces are left out.
export function split(text, separators) {
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
    else if (depth <= 0 && separators.includes(sign)) {
      if (start < at) pieces.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}

// The atoms of a model as clingo prints it. (Below its first line are the values of a theory.)
export const atoms = (model) => split(model.split("\n", 1)[0], " ").map(parts);

// An atom: its text, its predicate such as `at/2`, and its arguments. What is not an atom (`#show 5.`) has no name.
export function parts(text) {
  const [, name, inside] = text.match(/^(-?_*[a-z][\w']*)(?:\((.*)\))?$/s) ?? [null, "", null];
  const args = name ? (inside === undefined ? [] : split(inside, ",")) : [text];
  return { text, name, args, predicate: name ? `${name}/${args.length}` : "" };
}

// The atoms of a model by predicate.
export function byPredicate(list) {
  const found = new Map();
  for (const atom of list) {
    if (!found.has(atom.predicate)) found.set(atom.predicate, []);
    found.get(atom.predicate).push(atom);
  }
  return found;
}

// A value of Prolog, with its usual operators between their arguments.
export function value(term, inner = false) {
  if (term === null || typeof term !== "object") return String(term);
  if (Array.isArray(term)) return `[${term.map((one) => value(one)).join(", ")}]`;
  if ("variable" in term) return "domain" in term ? `${term.variable} in ${term.domain}` : term.variable;
  if ("float" in term) return term.float;
  if (!("functor" in term)) return JSON.stringify(term);
  const { functor, args } = term;
  if (functor === "[|]" && args.length === 2) return partial(term);
  if (args.length === 2 && /^([-+*/\\^<>=~:.?@#&]+|,)$/.test(functor)) {
    const text = args.map((one) => value(one, true)).join(functor === "," ? ", " : functor);
    return inner ? `(${text})` : text;
  }
  return `${functor}(${args.map((one) => value(one)).join(", ")})`;
}

// A list whose end is open: [1, 2|T].
function partial(term) {
  const items = [];
  while (term?.functor === "[|]") {
    items.push(value(term.args[0]));
    [, term] = term.args;
  }
  return `[${items.join(", ")}|${value(term)}]`;
}
