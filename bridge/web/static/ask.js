// Questions to the server. An answer comes in parts, a line of JSON each; `told` gets every part as it arrives.

const page = crypto.randomUUID();
const asked = new Map(); // by question: what ends the one under way
let most = Infinity;     // bytes of a question

// Ask, ending what was asked before by the same question. True when the answer was complete, false when a newer
// question, or `stop`, came first. A server that is busy is asked again.
export async function ask(question, data, told) {
  asked.get(question)?.abort();
  const control = new AbortController();
  asked.set(question, control);
  let over = false;
  const hear = (part) => {
    over ||= part.part === "end" || part.part === "error";
    told(part);
  };
  try {
    for (let wait = 500; ; wait = Math.min(2 * wait, 5000)) {
      const busy = await once(`/ask/${question}`, data, hear, control.signal);
      if (control.signal.aborted) return false;
      if (!busy && !over) throw new Error("the answer breaks off");
      if (!busy) return true;
      told({ part: "busy" });
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (control.signal.aborted) return false;
    }
  } catch (error) {
    if (control.signal.aborted) return false;
    told({ part: "error", kind: "connection", message: "the workbench does not answer", hint: "is `lpbridge serve` still running?" });
    return true;
  } finally {
    if (asked.get(question) === control) asked.delete(question);
  }
}

export function stop(question) {
  asked.get(question)?.abort();
}

// Whether a text is more than a question can hold.
export const tooLarge = (text) => text.length > most;

// A program of the user's own.
export const run = (program, told) => once("/run", program, told, null);

async function once(url, data, told, signal) {
  const body = new Blob([JSON.stringify(data)]);
  if (body.size > most) {
    told({ part: "error", kind: "input", message: `this is too much: ${(most / 1e6).toFixed()} MB at most` });
    return false;
  }
  const headers = { "Content-Type": "application/json", "X-Page": page };
  const response = await fetch(url, { method: "POST", headers, body, signal });
  if (response.status === 503) return true;
  if (!response.ok) {
    const said = await response.json().catch(() => ({}));
    told({ part: "error", message: said.error?.message ?? `the server says ${response.status}` });
    return false;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { done, value } = await reader.read();
    if (done) return false;
    const lines = (text + value).split("\n");
    text = lines.pop();
    for (const line of lines) if (!signal?.aborted) told(JSON.parse(line));
  }
}

// What there is to choose from.
export async function about() {
  const told = await (await fetch("/about")).json();
  most = told.mostBytes;
  return told;
}
