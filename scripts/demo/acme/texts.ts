import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";

type Texts = Readonly<Record<"es" | "ca" | "en" | "de", string>>;

// What the catalogue is called in every language of the account.
const rows: ({ readonly of: string } & Texts)[] = parse(readFileSync(join(import.meta.dirname, "texts.csv")), {
  columns: true,
});
const byName = new Map(rows.map(({ of, ...named }) => [of, named]));

/** The text of that name in `texts.csv`, with the year where it has one. */
export function texts(name: string, { year }: { readonly year?: number } = {}): Texts {
  const found = byName.get(name);
  if (!found) throw new Error(`texts.csv has no ${name}`);
  const filled = (text: string) => text.replace("{year}", String(year));
  return { es: filled(found.es), ca: filled(found.ca), en: filled(found.en), de: filled(found.de) };
}
