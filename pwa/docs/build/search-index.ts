import type { SearchIndexEntry } from "../src/search.ts";
import type { DocsPage } from "./page.ts";

// Returns each word of a text once, because the index is loaded as a whole.
const listWords = (text: string) => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_./{}:-]{2,}/gu))].join(" ");

/** Creates the search index of the pages, with the words of their texts. */
export function buildSearchIndex(pages: readonly DocsPage[]): readonly SearchIndexEntry[] {
  return pages.flatMap(({ path, title, searchEntries }) =>
    searchEntries.map(({ title: name, hash, words = "" }): SearchIndexEntry => {
      return [name, `/docs/${path}${hash && `#${hash}`}`, hash === "" ? "" : title, listWords(words)];
    }),
  );
}
