// A question about a program, by hand in a terminal; `kinds` are those that `run` answers.
export function command({ language, ask, constants = [], goal, atom, answers, seconds }, kinds) {
  const quoted = (word) => (/^[\w=.,/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  const runs = kinds.some(([name]) => name === ask);
  const verb = runs ? "run" : { residual: "diagnose", picture: "why", "why-not": "why", cost: "why" }[ask] ?? ask;
  const words = [verb, `program.${language}`, ...(ask === "residual" ? ["--only", "open"] : [])];
  if (ask === "cost") words.push("--cost");
  if (ask === "debug") words.push("--ask");
  if (ask === "why" || ask === "why-not" || ask === "picture") words.push(atom.startsWith("-") ? "--" : "", atom);
  if (ask === "why-not") words.splice(2, 0, "--not");
  if (goal) words.push("--goal", goal);
  for (const one of constants) words.push("-c", one);
  if (runs && ask !== "run") words.push(`--${ask}`);
  if (runs && ask !== "count") words.push("-n", String(answers));
  if (ask === "picture") words.push("-o", "why.svg");
  return ["lpbridge", ...words.filter(Boolean).map(quoted), "-t", seconds, "--untrusted"].join(" ");
}
