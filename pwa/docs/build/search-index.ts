import type { Entry } from "../src/search.ts";
import type { Page } from "./page.ts";

/** Creates the search index of the pages. */
export function searchIndex(pages: readonly Page[]): readonly Entry[] {
  return pages.flatMap(({ path, title, found }) =>
    found.map(({ title: name, hash, words = "" }): Entry => {
      return [name, `/docs/${path}${hash && `#${hash}`}`, hash === "" ? "" : title, words];
    }),
  );
}
