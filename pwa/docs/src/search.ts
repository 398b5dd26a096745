/** A search index entry: name, address, page and further keywords. */
export type SearchIndexEntry = readonly [name: string, address: string, page: string, words: string];

const MAX_SEARCH_RESULTS = 12;
/** Common terms that readers may type, each with the term that these pages use. */
const SYNONYMS: Readonly<Record<string, string>> = {
  ...{ pagination: "page_size", paging: "page_size", paginate: "page_size", throttling: "ratelimit" },
  ...{ versioning: "versions", authentication: "signed", auth: "signed", staging: "sandbox" },
};

const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Finds entries that contain all typed words. Matches in names come first. */
export function findSearchEntries(entries: readonly SearchIndexEntry[], query: string): readonly SearchIndexEntry[] {
  const queryWords = fold(query).split(/\s+/).filter(Boolean);
  if (queryWords.length === 0) return [];
  return entries
    .map((entry) => ({ entry, weight: weigh(entry, queryWords) }))
    .filter(({ weight }) => weight > 0)
    .sort((item, other) => other.weight - item.weight)
    .slice(0, MAX_SEARCH_RESULTS)
    .map(({ entry }) => entry);
}

function weighWord(title: string, rest: string, word: string | undefined): number {
  if (word === undefined) return 0;
  if (title.startsWith(word)) return 8;
  if (title.includes(word)) return 5;
  return rest.includes(word) ? 1 : 0;
}

function weigh([name, , page, queryWords]: SearchIndexEntry, searchWords: readonly string[]): number {
  const title = fold(name);
  const rest = fold(`${page} ${queryWords}`);
  let weight = title === searchWords.join(" ") ? 100 : 0;
  for (const queryWord of searchWords) {
    const best = Math.max(weighWord(title, rest, queryWord), weighWord(title, rest, SYNONYMS[queryWord]));
    if (best === 0) return 0;
    weight += best;
  }
  return weight;
}
