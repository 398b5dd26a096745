const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (text) => ENTITIES[text] ?? text);
}

/** HTML that `html` inserts unescaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** Returns the text of HTML without its tags, for the search. */
export function toPlainText({ text }: Html): string {
  return text
    .replace(/<[^>]+>/g, " ")
    .replace(/&(?:amp|lt|gt|quot);/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

type Part = Html | string | number | false | undefined | readonly Part[];

/** Creates HTML from a template. Escapes texts but not `Html` or lists of it. False and undefined produce nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((done, text, index) => done + toText(parts[index - 1]) + text));
}

/** Renders words in backticks as code. */
export function renderCode(text: string): readonly Part[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

function toText(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(toText).join("");
  if (part === undefined || part === false) return "";
  return escapeHtml(String(part));
}
