import type { ApiReference } from "./documents.ts";
import { type Html, html } from "./html.ts";

/** A built page with its path, title and search entries. */
export interface DocsPage {
  /** Path below /docs/ with trailing slash. Empty for the start page. */
  readonly path: string;
  readonly title: string;
  readonly body: Html;
  readonly searchEntries: readonly SearchEntry[];
}

/** A search entry with its title, anchor and further keywords. */
export interface SearchEntry {
  readonly title: string;
  readonly hash: string;
  readonly words?: string;
}

/** Links of a chapter in the documentation's menu, below its heading. */
export interface MenuGroup {
  readonly title: string;
  readonly places: readonly { readonly path: string; readonly title: string }[];
}

/** Returns the menu groups of each API with its chapters. */
export function listInterfaceGroups(references: readonly ApiReference[]): readonly MenuGroup[] {
  return references.map(({ name, title, chapters }) => ({
    title,
    places: [
      { path: `reference/${name}/`, title: "Overview" },
      ...chapters.map((chapter) => ({ path: `reference/${name}/${chapter.slug}/`, title: chapter.name })),
    ],
  }));
}

/** Returns the full HTML of a page. */
export function renderPage(page: DocsPage, menu: readonly MenuGroup[]): string {
  const isStart = page.path === "";
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="description" content="${isStart ? "The interfaces: every operation, how to sign, and a way to try it" : `${page.title}: the interfaces`}" />
    <title>${isStart ? "Interfaces" : `${page.title} · Interfaces`}</title>
    <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
    <link rel="stylesheet" href="/docs/assets/docs.css" />
    <script type="module" src="/docs/assets/docs.js"></script>
  </head>
  <body>
    <a class="skip" href="#docs-main">To the text</a>
    <header class="top">
      <a class="brand" href="/docs/">Interfaces</a>
      <form class="search" role="search" action="/docs/">
        <label for="docs-search">Search</label>
        <input id="docs-search" type="search" name="q" placeholder="Search  /" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="docs-found" aria-autocomplete="list" />
        <div id="docs-found" role="listbox" aria-label="Found" hidden></div>
      </form>
      <button type="button" id="docs-who" hidden>Credentials</button>
    </header>
    <div class="frame">
      <details class="menu" open>
        <summary>Menu</summary>
        <nav aria-label="Pages">${menu.map((group) => menuGroup(group, page.path))}</nav>
      </details>
      <main id="docs-main" tabindex="-1">${page.body}</main>
    </div>
  </body>
</html>
`.text;
}

function menuGroup({ title, places }: MenuGroup, open: string): Html {
  const isOpen = places.some(({ path }) => path === open);
  const links = html`<ul>
    ${places.map(
      ({ path, title: name }) =>
        html`<li><a href="/docs/${path}"${path === open && html` aria-current="page"`}>${name}</a></li>`,
    )}
  </ul>`;
  const isReference = places.every(({ path }) => path.startsWith("reference/"));
  if (!isReference) return html`<section><h2>${title}</h2>${links}</section>`;
  return html`<details class="interface"${isOpen && html` open`}><summary>${title}</summary>${links}</details>`;
}
