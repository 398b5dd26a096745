/** Code lists from an authority's catalogue: makes, colours, vehicle types and licence types. */
export const AUTHORITY_CODE_LISTS = ["brand", "color", "type", "licence"] as const;
export type AuthorityCodeList = (typeof AUTHORITY_CODE_LISTS)[number];

export function isAuthorityCodeList(name: string): name is AuthorityCodeList {
  return AUTHORITY_CODE_LISTS.some((item) => item === name);
}

/** Fetched list: each code with its name. */
export type AuthorityCodeEntries = readonly (readonly [code: string, word: string])[];

/** An authority's codes for fleet and address terms. */
export interface AuthorityCodes {
  /** Company's own choice: `brand:Seat`, or `brand:*` for terms in no list. */
  readonly chosen: Readonly<Record<string, string>>;
  /** Fetched lists by name: those of `AUTHORITY_CODE_LISTS`, and `municipalities:07` for a province. */
  readonly lists: Readonly<Record<string, AuthorityCodeEntries>>;
}

export const NO_AUTHORITY_CODES: AuthorityCodes = { chosen: {}, lists: {} };

/** Normalizes a term by removing accents, case and punctuation, so that `Citroën` matches `CITROEN`. */
function normalizeWord(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
    .toUpperCase();
}

/**
 * Returns the code of a term: the company's choice, otherwise the list entry with this code or name, otherwise the
 * choice for all others. Without a list, returns the term itself. Undefined if the list has no match.
 */
export function findAuthorityCode(
  { chosen, lists }: AuthorityCodes,
  list: AuthorityCodeList,
  word: string | undefined,
): string | undefined {
  if (!word) return undefined;
  const chosenCode = chosen[`${list}:${word}`];
  if (chosenCode) return chosenCode;
  const entries = lists[list];
  const plain = normalizeWord(word);
  const matchingEntry = entries?.find(([code, text]) => normalizeWord(text) === plain || normalizeWord(code) === plain);
  return matchingEntry?.[0] ?? chosen[`${list}:*`] ?? (entries ? undefined : word.toUpperCase());
}

/** Returns the two-digit province of a Spanish post code. Undefined for others. */
export function getProvinceCode(zip: string | undefined): string | undefined {
  const province = /^(\d{2})\d{3}$/.exec(zip?.trim() ?? "")?.[1];
  return province && province >= "01" && province <= "52" ? province : undefined;
}

/**
 * Returns the statistical office's code of a Spanish municipality by post code and name. Undefined if its province has
 * no such municipality.
 */
export function findMunicipalityCode(
  { lists }: AuthorityCodes,
  zip: string | undefined,
  city: string | undefined,
): string | undefined {
  const plain = plainMunicipality(city ?? "");
  const entries = plain ? lists[`municipalities:${getProvinceCode(zip)}`] : undefined;
  return entries?.find(([, name]) => splitNames(name).includes(plain))?.[0];
}

// `Palmas de Gran Canaria, Las` is also matched in reverse order, `Donostia/San Sebastián` by either name.
function splitNames(name: string): readonly string[] {
  return [name, ...name.split("/")].map(plainMunicipality);
}

function plainMunicipality(text: string): string {
  const turned = text.replace(/^(.*), (\S+)$/, "$2 $1");
  return normalizeWord(turned);
}
