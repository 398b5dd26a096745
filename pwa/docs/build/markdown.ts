import { Marked, type Tokens } from "marked";
import type { Operation } from "./documents.ts";
import { escapeHtml, Html } from "./html.ts";
import { sample } from "./operation.ts";

/** A page written in Markdown, and what it has in it. */
export interface Written {
  readonly title: string;
  readonly body: Html;
  readonly headings: readonly { readonly id: string; readonly text: string; readonly depth: number }[];
  /** Rows of tables that have a name: what begins with a code or a status. */
  readonly rows: readonly { readonly id: string; readonly text: string }[];
}

/** What a page's texts refer to. */
export interface MarkdownContext {
  /** Where a link of docs/interfaces leads on the pages; undefined where it leads off them. */
  readonly linkOf: (href: string) => string | undefined;
  readonly operations: ReadonlyMap<string, Operation>;
  /** Whether rows of tables that begin with a code have an address. */
  readonly namesRows: boolean;
}

// A code of an error, or a status.
const ROW = /^(?:`([A-Za-z]\w+)`|(\d{3}))$/;
const CALL = /^\{\{call ([\w/-]+)\}\}$/;

/**
 * Markdown as HTML: headings with ids as GitHub makes them, links to the pages, calls where
 * `{{call document/operation}}` stands.
 */
export function renderMarkdown(text: string, { linkOf, operations, namesRows }: MarkdownContext): Written {
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
      // Rows become blocks on a phone, so each cell says what it is.
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
        return sample(operation.call).text;
      },
    },
  });
  const body = new Html(marked.parse(text, { async: false }));
  return { title: headings.find(({ depth }) => depth === 1)?.text ?? "", body, headings, rows };
}

// As GitHub makes the ids of headings, which the links of docs/interfaces name.
function toHeadingId(heading: string): string {
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
