/** What is wrong with a field: a code that pages translate, and what it is about. */
export interface Problem {
  /** Of a row of a list: `periods.1.date_to`. */
  readonly field: string;
  readonly code: ProblemCode;
  readonly about?: readonly (string | number)[];
}

const SENTENCES = {
  missing: "is required",
  unknown_field: "is no field of it",
  fixed: "cannot be changed: make another one",
  text: "must be text",
  plain: "must be plain text: no control characters, no emoji",
  too_long: "must have at most {0} characters",
  too_short: "must have at least {0} characters",
  code: "must be of letters, digits, dot, dash and underscore, at most {0}",
  email: "must be an e-mail address",
  serie: "must be of letters, digits, spaces, dot, dash, slash and underscore, at most {0}",
  pattern: "must name {0}, and be of letters, digits, spaces, dot, dash, slash and underscore besides",
  letters: "must have 1 to 5 letters or digits",
  language: "must be a language code of two letters",
  country: "must be a country code of two letters",
  country_meant: "must be a country code of two letters: {0}, not {1}",
  currency: "must be a currency code of three letters",
  currency_of_company: "must be {0}, the company's own: all amounts are in it",
  timezone: "must be a time zone such as Europe/Madrid",
  address: "must be an address that starts with https:// or http://",
  origin: "must be websites without a path, in small letters, such as https://www.example.com, or * for any",
  whole: "must be a whole number from {0} to {1}",
  coordinate: "must be a number from -{0} to {0}",
  money: "must be an amount such as 120.00, not below zero and not finer than the currency",
  percent: "must be a percentage from 0 to 100, with two decimals at most",
  flag: "must be true or false",
  date: "must be a date that exists, yyyy-mm-dd",
  time: "must be a time of day, hh:mm",
  choice: "must be one of {0}",
  form: "must be as the gateway writes it, {0}",
  list: "must be a list",
  twice: "is there twice",
  rows: "must be a list of rows",
  as_many: "must have {0} prices, one for each length, null where there is none",
  record: "must be texts by name",
  not_known: "is not known",
  after: "must not be before {0}",
  not_after: "must not be after {0}",
  later: "must be later than {0}",
  together: "goes with {0}: both or neither",
  one_of: "say one of {0}, and only one",
  positive: "must be above zero",
  at_most: "must not be more than {0}",
  sum: "must be {0}, the sum of its parts",
  overlap: "overlaps with {0}",
  gap: "nothing is said of {0}",
  taken: "another one has it already",
  same: "must be another one than {0}",
  series_of_two: "{0} and {1} would have one series: put {branch} into the pattern of the series",
  below: "must be neither itself nor one below it",
  last_administrator: "somebody has to stay administrator, and you cannot take it from yourself",
  password: "must have 8 to 128 characters and not be one that is known from breaches",
  scope: "needs {0}",
  acriss: "must be four letters of ACRISS such as ECMR: category, type, drive, fuel and air",
  rate_name: "must be a rate with two decimals, such as 0.00",
  rate_code: "must be S1, S2, N1, N2 or E1 to E8, or with its regime: 02:E2",
  public_key: "must be an Ed25519 key, SPKI in base64: MCowBQYDK2VwAyEA and 44 characters more",
  network: "must be networks such as 203.0.113.0/24 or 2001:db8::/32",
  webhook: "must be a public address that starts with https://, without user name and with a usual port: {0}",
} as const;
export type ProblemCode = keyof typeof SENTENCES;

/** What is wrong, in English. */
export function formatProblem({ code, about = [] }: Problem): string {
  return SENTENCES[code].replace(/\{(\d)\}/g, (_, index: string) => String(about[Number(index)] ?? ""));
}

const PATTERNS = Object.entries(SENTENCES).map(([code, sentence]) => {
  const pattern = sentence.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\d\}/g, "(.*?)");
  return [code as ProblemCode, new RegExp(`^${pattern}$`)] as const;
});

/** The problem that an English sentence of it tells, for pages that say it in another language. */
export function readSentence(field: string, sentence: string): Problem | undefined {
  for (const [code, pattern] of PATTERNS) {
    const match = pattern.exec(sentence);
    if (match) return problem(field, code, ...match.slice(1));
  }
  return undefined;
}

export function problem(field: string, code: ProblemCode, ...about: readonly (string | number)[]): Problem {
  return { field, code, ...(about.length > 0 && { about }) };
}
