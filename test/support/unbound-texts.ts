// Names of columns and states, which statements contain too.
const IDENTIFIER = /^(dir3_)?[A-Za-z_-]*$/;
/** Last day of an endless period, in statements and in requests. */
const LAST_DAY = "9999-12-31";
const MIN_LENGTH = 5;

/** Lists the texts of a request that SQL statements contain only if its parameters aren't bound. */
export function listParameterTexts(query: string, body: unknown): readonly string[] {
  const texts = [...new URLSearchParams(query).values(), ...listTexts(body)];
  return texts.filter((text) => text.length >= MIN_LENGTH && text !== LAST_DAY && !IDENTIFIER.test(text));
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/** Returns the texts that some statement contains. */
export function findUnboundTexts(texts: Iterable<string>, statements: Iterable<string>): readonly string[] {
  const sql = [...statements].join("\n");
  return [...texts].filter((text) => sql.includes(text));
}
