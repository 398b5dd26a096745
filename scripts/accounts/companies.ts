import { readFile } from "node:fs/promises";
import { parseSheet, separatorOf } from "#worker/imports/parse-csv.ts";
import type { Account } from "../local-runtime.ts";
import { runOrThrow, wrangler } from "../processes.ts";
import { writeEnvironmentTypes } from "../types.ts";
import { type AccountTerms, addAccount, decimalsOf } from "./add.ts";
import { changeConfig } from "./config-file.ts";
import type { Target } from "./target.ts";
import { withoutBinding } from "./wrangler-config.ts";

const COLUMNS = ["account", "company", "country", "currency", "timezone", "languages", "email"] as const;
type Said = { readonly [column in (typeof COLUMNS)[number]]?: string | undefined };

/** What an account is to be, of texts as people give them; `findProblems` says what is wrong with it. */
export function termsOf({
  account = "",
  company = "",
  country = "",
  currency = "",
  timezone = "",
  languages = "",
  email = "",
}: Said): AccountTerms {
  return {
    name: account,
    company,
    country,
    currency,
    currencyDecimals: decimalsOf(currency),
    timezone,
    languages: languages.split(/[,\s]+/).filter(Boolean),
    email,
  };
}

/** The companies of a CSV file, a line for each. */
export async function readTerms(file: string): Promise<readonly AccountTerms[]> {
  const text = await readFile(file, "utf8");
  const sheet = parseSheet(text, separatorOf(text));
  if (!sheet) throw new Error(`${file} is no CSV: a quote is not closed.`);
  const [heading = [], ...rows] = sheet.map(({ cells }) => cells.map((cell) => cell.trim()));
  const missing = COLUMNS.filter((column) => !heading.includes(column));
  if (missing.length > 0) throw new Error(`${file} has no column ${missing.join(", ")}.`);
  return rows.map((cells) =>
    termsOf(Object.fromEntries(COLUMNS.map((column) => [column, cells[heading.indexOf(column)] ?? ""]))),
  );
}

/** Adds companies; what is there already stays, so that it goes on where it was cut short. */
export async function addCompanies(
  companies: readonly AccountTerms[],
  target: Target,
  { now, log }: { readonly now: number; readonly log: (line: string) => void },
): Promise<void> {
  for (const terms of companies) {
    const { user, key } = await addAccount(terms, target, now);
    log(`\n${terms.name} is there.`);
    if (user) log(`  administrator  ${user.username} / ${user.password}`);
    if (key) log(`  partner key    ${key.apiKey} : ${key.secret}   (integration, analytics)`);
    if (user || key) log("These are shown once.");
  }
  await writeEnvironmentTypes();
}

/** Every step of `removeCompany`, in words. */
export function planOfRemoval({ name, databaseName }: Account, deletesData: boolean): readonly string[] {
  return [
    `take ${name} out of wrangler.toml, so that it is served no more`,
    deletesData
      ? `delete the database ${databaseName} with all its data, for good`
      : `leave the database ${databaseName} as it is`,
  ];
}

/** Takes a company out of wrangler.toml and out of service; its data goes after that, where it is to go. */
export async function removeCompany(
  { name, databaseName }: Account,
  target: Target,
  options: {
    readonly deletesData: boolean;
    readonly log: (line: string) => void;
    readonly serve: () => Promise<void>;
  },
): Promise<void> {
  await changeConfig((toml) => withoutBinding(toml, name, target.environment));
  await writeEnvironmentTypes();
  options.log(`${name} is out of wrangler.toml.`);
  if (!target.isRemote) return;
  await options.serve();
  if (!options.deletesData) return;
  await runOrThrow(...wrangler("d1", "delete", databaseName, "--skip-confirmation"));
  options.log(`The database ${databaseName} is deleted.`);
}
