import { Marked, type Tokens } from "marked";
import type { Operation } from "./documents.ts";
import { escapeHtml, Html, toPlainText } from "./html.ts";
import { renderSample } from "./operation.ts";

/** A Markdown page and its searchable content. */
export interface RenderedMarkdown {
  readonly title: string;
  readonly body: Html;
  readonly headings: readonly { readonly id: string; readonly text: string; readonly depth: number }[];
  /** Text of each heading's section by its id. The text before the first heading has none. */
  readonly sections: ReadonlyMap<string, string>;
  /** Table rows with an id: those that start with a code or status. */
  readonly rows: readonly { readonly id: string; readonly text: string }[];
}

/** Context to resolve references of a page. */
export interface MarkdownContext {
  /** Resolves a link of docs/interfaces. Undefined for external links. */
  readonly linkOf: (href: string) => string | undefined;
  readonly operations: ReadonlyMap<string, Operation>;
  /** Whether table rows that start with a code get an anchor. */
  readonly namesRows: boolean;
}

// An error code or a status.
const ROW = /^(?:`([A-Za-z]\w+)`|(\d{3}))$/;
const CALL = /^\{\{call ([\w/-]+)\}\}$/;

/**
 * Renders Markdown as HTML, with heading ids as on GitHub, links between pages, and API calls for `{{call
 * document/operation}}`.
 */
export function renderMarkdown(text: string, { linkOf, operations, namesRows }: MarkdownContext): RenderedMarkdown {
  const headings: { id: string; text: string; depth: number }[] = [];
  const rows: { id: string; text: string }[] = [];
  const nameRow = (cells: readonly Tokens.TableCell[]) => {
    const [, name, status] = ROW.exec(cells[0]?.text ?? "") ?? [];
    const code = name ?? status;
    if (code === undefined || !namesRows) return "";
    const id = /^\d/.test(code) ? `status-${code}` : code;
    if (rows.some((row) => row.id === id) || headings.some((heading) => heading.id === id)) return "";
    rows.push({
      id,
      text: cells
        .slice(1)
        .map(({ text: cell }) => cell.replace(/[`*]/g, ""))
        .join(" "),
    });
    return ` id="${id}"`;
  };
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text: plain }) {
        const id = unique(toHeadingId(plain), headings);
        const plainText = plain.replace(/[`*]/g, "");
        headings.push({ id, text: plainText, depth });
        const inside = this.parser.parseInline(tokens);
        return depth === 1
          ? `<h1>${inside}</h1>`
          : `<h${depth} id="${id}"><a href="#${id}">${inside.replace(/<\/?a[^>]*>/g, "")}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inside = this.parser.parseInline(tokens);
        const to = linkOf(href);
        return to === undefined ? inside : `<a href="${escapeHtml(to)}">${inside}</a>`;
      },
      code({ text: code, lang }) {
        return `<pre tabindex="0" aria-label="${escapeHtml(lang ?? "Example")}"><code>${escapeHtml(code)}</code></pre>\n`;
      },
      // On small screens rows become blocks, so each cell needs its own label.
      table({ header, rows: lines }) {
        const names = header.map(({ text: name }) => escapeHtml(name.replace(/[`*]/g, "")));
        const cells = (row: readonly Tokens.TableCell[]) =>
          row
            .map(({ tokens }, at) => `<td data-label="${names[at]}">${this.parser.parseInline([...tokens])}</td>`)
            .join("");
        const heads = header.map(({ tokens }) => `<th scope="col">${this.parser.parseInline(tokens)}</th>`).join("");
        const body = lines.map((row) => `<tr${nameRow(row)}>${cells(row)}</tr>`);
        return `<table><thead><tr>${heads}</tr></thead><tbody>${body.join("")}</tbody></table>\n`;
      },
      paragraph({ tokens, text: plain }) {
        const [, name] = CALL.exec(plain.trim()) ?? [];
        if (name === undefined) return `<p>${this.parser.parseInline(tokens)}</p>\n`;
        const operation = operations.get(name);
        if (!operation) throw new Error(`there is no operation ${name}`);
        return renderSample(operation.call).text;
      },
    },
  });
  const body = new Html(marked.parse(text, { async: false }));
  const title = headings.find(({ depth }) => depth === 1)?.text ?? "";
  return { title, body, headings, sections: splitSections(body), rows };
}

function splitSections(body: Html): ReadonlyMap<string, string> {
  const parts = body.text.split(/(?=<h[1-6][ >])/);
  return new Map(parts.map((part) => [/^<h\d id="([^"]*)"/.exec(part)?.[1] ?? "", toPlainText(new Html(part))]));
}

/** Returns Markdown with only the named sections, under another title. */
export function pickSections(text: string, title: string, names: readonly string[]): string {
  const sections = text.split(/^(?=## )/m);
  const picked = names.map((name) => {
    const section = sections.find((part) => part.startsWith(`## ${name}\n`));
    if (section === undefined) throw new Error(`there is no section ${name}`);
    return section;
  });
  return `# ${title}\n\n${picked.join("\n")}`;
}

/** Creates a heading's id as on GitHub, which links in docs/interfaces use. */
export function toHeadingId(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

function unique(id: string, headings: readonly { readonly id: string }[]): string {
  const same = headings.filter((heading) => heading.id === id || heading.id.startsWith(`${id}-`)).length;
  return headings.some((heading) => heading.id === id) ? `${id}-${same}` : id;
}
