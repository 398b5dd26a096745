/** What the search knows of something: its name, its address, the page it is on, and other words. */
export type Entry = readonly [name: string, address: string, page: string, words: string];

const MOST = 12;
const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** What has every word that was typed, what is called so before what only mentions it. */
export function find(entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, weight: weigh(entry, words) }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

function weigh([name, , page, words]: Entry, typed: readonly string[]): number {
  const title = fold(name);
  const rest = fold(`${page} ${words}`);
  let weight = title === typed.join(" ") ? 100 : 0;
  for (const word of typed) {
    if (title.startsWith(word)) weight += 8;
    else if (title.includes(word)) weight += 5;
    else if (rest.includes(word)) weight += 1;
    else return 0;
  }
  return weight;
}
