/** A search index entry: name, address, page and further keywords. */
export type Entry = readonly [name: string, address: string, page: string, words: string];

const MAX_SEARCH_RESULTS = 12;
const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Finds entries that contain all typed words. Matches in names come first. */
export function find(entries: readonly Entry[], typed: string): readonly Entry[] {
  const queryWords = fold(typed).split(/\s+/).filter(Boolean);
  if (queryWords.length === 0) return [];
  return entries
    .map((entry) => ({ entry, weight: weigh(entry, queryWords) }))
    .filter(({ weight }) => weight > 0)
    .sort((item, other) => other.weight - item.weight)
    .slice(0, MAX_SEARCH_RESULTS)
    .map(({ entry }) => entry);
}

function weigh([name, , page, queryWords]: Entry, typed: readonly string[]): number {
  const title = fold(name);
  const rest = fold(`${page} ${queryWords}`);
  let weight = title === typed.join(" ") ? 100 : 0;
  for (const queryWord of typed) {
    if (title.startsWith(queryWord)) weight += 8;
    else if (title.includes(queryWord)) weight += 5;
    else if (rest.includes(queryWord)) weight += 1;
    else return 0;
  }
  return weight;
}
