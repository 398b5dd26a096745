import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ApiReference, Operation, ReferenceChapter } from "./documents.ts";
import { readReferences } from "./documents.ts";
import { type Html, html, toPlainText } from "./html.ts";
import { pickSections, type RenderedMarkdown, renderMarkdown, toHeadingId } from "./markdown.ts";
import { buildOperationSection } from "./operation.ts";
import { type DocsPage, listInterfaceGroups, type MenuGroup, type SearchEntry } from "./page.ts";
import { SchemaRenderer } from "./schema.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

/** Built pages, from texts in `content/`, the project's API pages and OpenAPI documents. */
export interface DocsSite {
  readonly pages: readonly DocsPage[];
  readonly menu: readonly MenuGroup[];
  readonly references: readonly ApiReference[];
}

/** Introductory pages, in `content/`. */
const STARTS = [
  ["start/agency/", "agency", "An agency"],
  ["start/website/", "website", "A website"],
  ["start/erp/", "erp", "An accounting system"],
  ["start/staff/", "staff", "Staff and their tools"],
  ["start/sandbox/", "sandbox", "Sandbox"],
] as const;

/** Guides from docs/interfaces with their paths. API overviews appear before their operations instead. */
const GUIDES = [
  ["guides/conventions/", "conventions", "Conventions and signing"],
  ["errors/", "errors", "Errors by code"],
  ["guides/webhooks/", "webhooks", "Webhooks"],
  ["guides/calendars/", "calendars", "Calendars (iCal)"],
  ["guides/widget/", "booking-widget", "Booking widget"],
  ["guides/opentravel/", "opentravel", "OpenTravel XML"],
  ["guides/rules/", "rules", "Rules of renting"],
] as const;

/** Pages made of sections of docs/interfaces, under titles that integrators search for. */
const TOPICS = [
  ["guides/rate-limits/", "Rate limits", "conventions", ["Limits", "Limits, caching and problem details"]],
  ["guides/versions/", "Versions", "README", ["Versions", "Notation"]],
] as const;

/** Page for unknown addresses, with search and menu. */
export const notFoundDocsPage: DocsPage = {
  path: "404/",
  title: "No such page",
  body: html`<article>
    <h1>There is no such page</h1>
    <p>Perhaps it has another address now: search for it, look into the menu, or begin at the <a href="/docs/">overview</a>.</p>
  </article>`,
  searchEntries: [],
};

/** Builds all pages. */
export function buildDocsPages(): DocsSite {
  const references = readReferences();
  const context = { linkOf: createLinkResolver(references), operations: byName(references) };
  const write = (file: string) =>
    renderMarkdown(readFileSync(resolve(ROOT, file), "utf8"), { ...context, namesRows: file.endsWith("/errors.md") });
  const starts = STARTS.map(([path, file]) => writtenPage(path, write(`pwa/docs/content/${file}.md`)));
  const guides = GUIDES.map(([path, file]) => guidePage(path, write(`docs/interfaces/${file}.md`), references));
  const topics = TOPICS.map(([path, title, file, names]) => {
    const text = pickSections(readFileSync(resolve(ROOT, `docs/interfaces/${file}.md`), "utf8"), title, names);
    // Links to other sections lead to the page that they are on.
    const onPage = new Set(names.map((name) => `#${toHeadingId(name)}`));
    const resolveLink = (href: string) =>
      context.linkOf(href.startsWith("#") && !onPage.has(href) ? `${file}.md${href}` : href);
    return writtenPage(path, renderMarkdown(text, { ...context, linkOf: resolveLink, namesRows: false }));
  });
  const clients = writtenPage("guides/clients/", write("pwa/docs/content/clients.md"));
  const changes = writtenPage("changelog/", write("docs/interfaces/changelog.md"));
  const front = { ...writtenPage("", write("pwa/docs/content/index.md")), title: "Interfaces" };
  const reference = references.flatMap((reference) => [
    overview(reference, reference.page === undefined ? undefined : write(`docs/interfaces/${reference.page}.md`)),
    ...reference.chapters.map((chapter) => chapterPage(reference, chapter)),
  ]);
  const menu = [
    {
      title: "Start",
      places: [{ path: "", title: "Overview" }, ...STARTS.map(([path, , title]) => ({ path, title }))],
    },
    {
      title: "Guides",
      places: [
        ...GUIDES.map(([path, , title]) => ({ path, title })),
        ...TOPICS.map(([path, title]) => ({ path, title })),
        { path: "guides/clients/", title: "Clients in your language" },
        { path: "changelog/", title: "Changelog" },
      ],
    },
    ...listInterfaceGroups(references),
  ];
  return { pages: [front, ...starts, ...guides, ...topics, clients, changes, ...reference], menu, references };
}

function byName(references: readonly ApiReference[]): ReadonlyMap<string, Operation> {
  const allOperations = references.flatMap(({ document, chapters }) =>
    chapters.flatMap((chapter) =>
      chapter.operations.map((operation) => [`${document}/${operation.call.operation}`, operation] as const),
    ),
  );
  return new Map(allOperations);
}

// Creates a link resolver by file name. Links to files without a page become plain text.
function createLinkResolver(references: readonly ApiReference[]): (href: string) => string | undefined {
  const pages = new Map<string, string>([
    ...GUIDES.map(([path, file]) => [`${file}.md`, `/docs/${path}`] as const),
    ...references.flatMap(({ page, name }) => (page ? [[`${page}.md`, `/docs/reference/${name}/`] as const] : [])),
    ...references.map(({ document }) => [`../openapi/${document}.json`, `/docs/openapi/${document}.json`] as const),
    ["README.md", "/docs/"],
  ]);
  return (href) => {
    if (/^(?:https?:|#|\/)/.test(href)) return href;
    const [file = "", hash] = href.replace(/^docs\/interfaces\//, "").split("#");
    const page = pages.get(file);
    return page && (hash === undefined ? page : `${page}#${hash}`);
  };
}

function writtenPage(path: string, { title, body, headings, sections, rows }: RenderedMarkdown): DocsPage {
  return {
    path,
    title,
    body: html`<article>${body}</article>`,
    searchEntries: [
      { title, hash: "", words: sections.get("") ?? "" },
      ...headings
        .filter(({ depth }) => depth > 1)
        .map(({ id, text }) => ({ title: text, hash: id, words: `${title} ${sections.get(id) ?? ""}` })),
      ...rows.map(({ id, text }) => ({ title: id, hash: id, words: text })),
    ],
  };
}

// Creates a guide's page. The webhook guide also contains the event catalogue.
function guidePage(path: string, markdown: RenderedMarkdown, references: readonly ApiReference[]): DocsPage {
  const page = writtenPage(path, markdown);
  const events = path === "guides/webhooks/" ? references.flatMap((reference) => reference.events) : [];
  if (events.length === 0) return page;
  const catalogue = html`<h2 id="events"><a href="#events">Every event</a></h2>
    <ul class="fields">
      ${events.map(([name, about]) => html`<li id="${name}"><code>${name}</code><p>${about}</p></li>`)}
    </ul>`;
  return {
    ...page,
    body: html`<article>${markdown.body}${catalogue}</article>`,
    searchEntries: [
      ...page.searchEntries,
      ...events.map(([name, about]): SearchEntry => ({ title: name, hash: name, words: about })),
    ],
  };
}

function overview(reference: ApiReference, markdown: RenderedMarkdown | undefined): DocsPage {
  const { name, title, description, document, chapters } = reference;
  const path = `reference/${name}/`;
  const contents = html`<p>
      <a href="/docs/openapi/${document}.json">OpenAPI document</a> · <a href="/docs/guides/clients/">clients from it</a>
    </p>
    <nav class="contents" aria-label="Operations">
      ${chapters.map((chapter) => chapterContents(path, chapter))}
    </nav>`;
  if (!markdown) {
    const body = html`<article><h1>${title}</h1><p>${description}</p>${contents}</article>`;
    return { path, title, body, searchEntries: [{ title, hash: "", words: description }] };
  }
  const page = writtenPage(path, markdown);
  return { ...page, title, body: html`<article>${contents}</article>${page.body}` };
}

function chapterContents(path: string, { slug, name, operations }: ReferenceChapter): Html {
  return html`<section>
    <h2><a href="/docs/${path}${slug}/">${name}</a></h2>
    <ul>
      ${operations.map(
        ({ call, summary }) => html`<li>
          <a href="/docs/${path}${slug}/#${call.operation}"><span class="method ${call.method.toLowerCase()}">${call.method}</span> ${summary}</a>
        </li>`,
      )}
    </ul>
  </section>`;
}

function chapterPage(reference: ApiReference, chapter: ReferenceChapter): DocsPage {
  const view = new SchemaRenderer(reference.schemas);
  const sections = chapter.operations.map((operation) => buildOperationSection(operation, view));
  const objects = view.objects();
  const title = `${reference.title}: ${chapter.name}`;
  return {
    path: `reference/${reference.name}/${chapter.slug}/`,
    title,
    body: html`<article class="reference">
      <h1>${title}</h1>
      <p>${chapter.description}</p>
      ${sections}
      ${objects.length > 0 && html`<h2 id="objects"><a href="#objects">Objects</a></h2>${objects}`}
    </article>`,
    searchEntries: [
      { title, hash: "", words: chapter.description },
      ...chapter.operations.map(({ call, summary }, index) => ({
        title: summary,
        hash: call.operation,
        words: `${call.operation} ${call.method} ${call.path} ${toPlainText(sections[index] ?? html``)}`,
      })),
      ...(objects.length > 0 ? [{ title: "Objects", hash: "objects", words: toPlainText(html`${objects}`) }] : []),
    ],
  };
}
