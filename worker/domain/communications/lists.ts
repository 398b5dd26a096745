/** The lists of codes that an authority's catalogue gives: makes, colours, kinds of vehicles and of licences. */
export const CODE_LISTS = ["brand", "color", "type", "licence"] as const;
export type CodeList = (typeof CODE_LISTS)[number];

export function isCodeList(name: string): name is CodeList {
  return CODE_LISTS.some((item) => item === name);
}

/** A list as it was fetched: each code and its word. */
export type ListEntries = readonly (readonly [code: string, word: string])[];

/** What words of the fleet and of addresses are called by an authority. */
export interface Codes {
  /** The company's own choice: `brand:Seat`, or `brand:*` for all that is in no list. */
  readonly chosen: Readonly<Record<string, string>>;
  /** By name: those of `CODE_LISTS`, and `municipalities:07` for a province; what was not fetched is not there. */
  readonly lists: Readonly<Record<string, ListEntries>>;
}

export const NO_CODES: Codes = { chosen: {}, lists: {} };

/** A word without accents, case and signs, so that `Citroën` finds `CITROEN`. */
export function normalizeWord(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
    .toUpperCase();
}

/**
 * The code of a word: the company's choice, else that of the list's entry of the same code or word, else the choice for
 * all others. Without a list the word itself goes; undefined where there is a list and nothing in it.
 */
export function findCode({ chosen, lists }: Codes, list: CodeList, word: string | undefined): string | undefined {
  if (!word) return undefined;
  const chosenCode = chosen[`${list}:${word}`];
  if (chosenCode) return chosenCode;
  const entries = lists[list];
  const plain = normalizeWord(word);
  const matchingEntry = entries?.find(([code, text]) => normalizeWord(text) === plain || normalizeWord(code) === plain);
  return matchingEntry?.[0] ?? chosen[`${list}:*`] ?? (entries ? undefined : word.toUpperCase());
}

/** The two digits of a Spanish post code's province; undefined where it is none. */
export function getProvinceCode(zip: string | undefined): string | undefined {
  const province = /^(\d{2})\d{3}$/.exec(zip?.trim() ?? "")?.[1];
  return province && province >= "01" && province <= "52" ? province : undefined;
}

/**
 * The statistical office's code of a Spanish municipality by post code and name; undefined where its province has none.
 */
export function findMunicipalityCode(
  { lists }: Codes,
  zip: string | undefined,
  city: string | undefined,
): string | undefined {
  const plain = plainMunicipality(city ?? "");
  const entries = plain ? lists[`municipalities:${getProvinceCode(zip)}`] : undefined;
  return entries?.find(([, name]) => splitNames(name).includes(plain))?.[0];
}

// `Palmas de Gran Canaria, Las` is said the other way round, `Donostia/San Sebastián` by either of its names.
function splitNames(name: string): readonly string[] {
  return [name, ...name.split("/")].map(plainMunicipality);
}

function plainMunicipality(text: string): string {
  const turned = text.replace(/^(.*), (\S+)$/, "$2 $1");
  return normalizeWord(turned);
}
