// The dialog Share: other sites, pictures, files, and a link to this machine.

import { ask } from "./ask.js";
import { open } from "./dialogs.js";
import { button, choice, copy, h, save, sentence, toast } from "./html.js";
import { state } from "./store.js";

const SHOWN = [["clues", "the puzzle"], ["solution", "with its solution"], ["candidates", "with candidates"], ["sheet", "page to print, solution apart"]];
const FORMS = [["pdf", "PDF"], ["png", "PNG"], ["svg", "SVG"]];

const wanted = { show: "clues", form: "", format: "text" }; // the choices made last

export function share(about) {
  const { puzzle } = state;
  const status = h("p.quiet", { role: "status" });
  const tell = (...sentences) => { status.textContent = sentences.map((one) => sentence(one)).join(" "); };
  // Ask for one part of an answer, and use it; say why when there is none.
  const request = (question, data, use) => {
    let answered = false;
    tell();
    return ask(question, { puzzle, ...data }, (part) => {
      if (part.part === "busy") return;
      if (part.part === "error") tell([part.message, part.hint].filter(Boolean).join("; "));
      else if (part.part !== "end") use(part);
      else if (!answered) tell(part.limit === "seconds" ? "The time limit came first" : `Its process ended before the answer was complete (${part.remark ?? part.limit})`);
      answered = true;
    });
  };
  open("Share", h("div.parts", sites(request), pictures(about, request), files(about, puzzle, request, tell), link()), status);
}

const bytes = ({ base64 }) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

// Sites that open the puzzle. Nothing is sent before a person follows the link.
function sites(request) {
  const list = h("p.row-of", h("span.quiet", "Looking …"));
  const note = h("p.quiet");
  request("links", {}, ({ links, notes }) => {
    const away = ({ site, url }) => h("a.button", { href: url, target: "_blank", rel: "noopener noreferrer" }, site, h("span.unseen", " (opens a new tab)"));
    list.replaceChildren(...(links.length ? links.map(away) : [h("span.quiet", "No other site is known to open this puzzle.")]));
    note.textContent = notes.map((one) => sentence(one)).join(" ");
  });
  return h("section", h("h3", "Open in"), list, note);
}

function pictures(about, request) {
  if (!wanted.form || !about.pictures) wanted.form = about.pictures ? "pdf" : "svg";
  if (!about.pictures && wanted.show === "sheet") wanted.show = "clues";
  const form = choice("As", FORMS.map(([name, title]) => [name, title]), wanted.form, (value) => { wanted.form = value; });
  const shown = choice("Show", SHOWN, wanted.show, (value) => { wanted.show = value; update(); });
  const update = () => { // a page to print is a PDF
    const select = form.querySelector("select");
    select.disabled = wanted.show === "sheet";
    if (select.disabled) select.value = wanted.form = "pdf";
  };
  if (!about.pictures) {
    for (const one of form.querySelectorAll("option")) one.disabled = one.value !== "svg";
    for (const one of shown.querySelectorAll("option")) one.disabled = one.value === "sheet";
  }
  update();
  const draw = () => request("picture", { show: wanted.show, form: wanted.form }, (part) => save(part.file, bytes(part), part.type));
  return h("section", h("h3", "Picture"), h("div.row-of", shown, form, button("Save picture", draw)),
    about.pictures ? null : h("p.quiet", "PDF and PNG need the extra ", h("code", "pictures"), ": ", h("code", "pip install 'lpbridge[pictures]'"), ", and start the workbench again."));
}

function files(about, puzzle, request, tell) {
  const formats = about.formats.filter((one) => one.kinds.includes(puzzle.puzzle));
  if (!formats.some(({ name }) => name === wanted.format)) wanted.format = "text";
  const write = (use) => request("write", { format: wanted.format }, (part) => {
    tell(...part.notes);
    use(part);
  });
  const copyIt = (part) => (part.binary ? toast("This is a binary format: save it.") : copy(new TextDecoder().decode(bytes(part))));
  return h("section", h("h3", "Text or file"), h("div.row-of",
    choice("Format", formats.map((one) => [one.name, `${one.name} — ${one.title}`]), wanted.format, (value) => { wanted.format = value; }),
    button("Copy", () => write(copyIt)), button("Save", () => write((part) => save(part.file, bytes(part))))));
}

// The address of this page. The puzzle is in its fragment.
function link() {
  const long = location.href.length > 30000;
  return h("section", h("h3", "Link to this machine"),
    long ? h("p", "The word list is too long for a link: save the puzzle as JSON instead.")
      : h("div.row-of", h("input", { id: "link", readonly: true, value: location.href, "aria-label": "Link to this machine", onfocus: (event) => event.target.select() }), button("Copy link", () => copy(location.href, "Link copied."))),
    h("p.quiet", `It opens on this machine, while a workbench runs at ${location.host}. The link carries the puzzle: nothing is stored.`));
}
