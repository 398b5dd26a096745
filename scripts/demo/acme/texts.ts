import { parse } from "csv-parse/sync";
import { TEXTS_TABLE } from "./texts-table.ts";

type Texts = Readonly<Record<"es" | "ca" | "en" | "de", string>>;

const rows: ({ readonly of: string } & Texts)[] = parse(TEXTS_TABLE, { columns: true });
const byName = new Map(rows.map(({ of, ...named }) => [of, named]));

/** The text of that name, with the year where it has one. */
export function texts(name: string, { year }: { readonly year?: number } = {}): Texts {
  const found = byName.get(name);
  if (!found) throw new Error(`there is no text of ${name}`);
  const filled = (text: string) => text.replace("{year}", String(year));
  return { es: filled(found.es), ca: filled(found.ca), en: filled(found.en), de: filled(found.de) };
}
