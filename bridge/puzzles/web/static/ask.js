// Questions to the server. An answer arrives in parts, one line of JSON each; `onPart` is called with each of them.

const page = crypto.randomUUID();
const asked = new Map(); // by question: the AbortController of the running request
let most = Infinity;     // the greatest size of a question, in bytes

// Ask, and cancel the running request of the same question. Returns true when the answer was complete, false when a
// newer request, or `stop`, cancelled it. Repeated while the server is busy.
export async function ask(question, data, onPart) {
  asked.get(question)?.abort();
  const control = new AbortController();
  asked.set(question, control);
  let over = false;
  const receive = (part) => {
    over ||= part.part === "end" || part.part === "error";
    onPart(part);
  };
  try {
    await repeated(`/ask/${question}`, data, receive, control.signal);
    if (control.signal.aborted) return false;
    if (!over) throw new Error("the answer is incomplete");
    return true;
  } catch (error) {
    if (control.signal.aborted) return false;
    onPart({ part: "error", kind: "connection", message: "the workbench does not answer", hint: "is `lpbridge puzzle serve` still running?" });
    return true;
  } finally {
    if (asked.get(question) === control) asked.delete(question);
  }
}

export function stop(question) {
  asked.get(question)?.abort();
}

// Whether a text is longer than a question may be.
export const tooLarge = (text) => text.length > most;

async function repeated(url, data, onPart, signal) {
  for (let wait = 500; await once(url, data, onPart, signal); wait = Math.min(2 * wait, 5000)) {
    if (signal.aborted) return;
    onPart({ part: "busy" });
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

async function once(url, data, onPart, signal) {
  const body = new Blob([JSON.stringify(data)]);
  if (body.size > most) {
    onPart({ part: "error", kind: "input", message: `this is too large: ${(most / 1e6).toFixed()} MB at most` });
    return false;
  }
  const headers = { "Content-Type": "application/json", "X-Page": page };
  const response = await fetch(url, { method: "POST", headers, body, signal });
  if (response.status === 503) return true;
  if (!response.ok) {
    const said = await response.json().catch(() => ({}));
    onPart({ part: "error", message: said.error?.message ?? `the server says ${response.status}` });
    return false;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { done, value } = await reader.read();
    if (done) return false;
    const lines = (text + value).split("\n");
    text = lines.pop();
    for (const line of lines) if (!signal.aborted) onPart(JSON.parse(line));
  }
}

// The choices that the server offers.
export async function about() {
  const choices = await (await fetch("/about")).json();
  most = choices.mostBytes;
  return choices;
}
