import { randomUUID } from "node:crypto";
import { ask, jsonIn } from "../deployment/remote.ts";
import { type Account, readAccounts } from "../local-runtime.ts";
import { migrateAccount } from "../migrations.ts";
import { runOrThrow, wrangler } from "../processes.ts";
import { step } from "../steps.ts";
import { changeConfig } from "./config-file.ts";
import { addPartnerKey, addUser, type NewKey, type NewUser } from "./credentials.ts";
import { masterKeyOf, type Target, withDatabase } from "./target.ts";
import { ACCOUNT_NAME, bindingName, withBinding } from "./wrangler-config.ts";

/** What a new account is. */
export interface AccountTerms {
  readonly name: string;
  readonly company: string;
  readonly country: string;
  readonly currency: string;
  readonly currencyDecimals: number;
  readonly timezone: string;
  readonly languages: readonly string[];
  /** Whom the first user belongs to, an administrator. */
  readonly email: string;
}

export interface NewAccount {
  readonly user: NewUser | undefined;
  readonly key: NewKey | undefined;
}

/** What is wrong with the terms, each with the option it is about. */
export function findProblems(terms: AccountTerms): readonly string[] {
  const { name, country, currency, timezone, languages, email } = terms;
  return [
    ...findNameProblems(name),
    ...(terms.company.trim() ? [] : ["--company is required: the company's name"]),
    ...(/^[A-Z]{2}$/.test(country) ? [] : ["--country must be an ISO code of two letters, ES"]),
    ...(isCurrency(currency) ? [] : ["--currency must be an ISO code of three letters, EUR"]),
    ...(isTimezone(timezone) ? [] : ["--timezone must be a time zone, Europe/Madrid"]),
    ...(languages.length > 0 && languages.every((one) => /^[a-z]{2}$/.test(one))
      ? []
      : ["--languages must be codes of two letters, es,en: the first is the account's own"]),
    ...(/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? [] : ["--email must be the address of the first administrator"]),
  ];
}

export function findNameProblems(name: string): readonly string[] {
  return ACCOUNT_NAME.test(name)
    ? []
    : ["the name must be 2 to 31 letters, digits and hyphens, a letter first, in lower case"];
}

function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf("currency").includes(code);
}

/** How many decimals a currency has. */
export function decimalsOf(currency: string): number {
  return isCurrency(currency)
    ? (new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2)
    : 2;
}

function isTimezone(name: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Every step of `addAccount`, in words. */
export function planOf(terms: AccountTerms, target: Target): readonly string[] {
  return [
    ...planOfEmpty(terms.name, target),
    `store the settings of ${terms.company}: ${terms.country}, ${terms.currency}, ${terms.timezone}, ${terms.languages.join(" ")}`,
    `make ${terms.email} its administrator, and a partner key for integration and analytics; both are shown once`,
  ];
}

/** Every step of `addEmptyAccount`, in words. */
export function planOfEmpty(name: string, { isRemote, environment }: Target): readonly string[] {
  const where = isRemote ? "at Cloudflare" : "in the local state folder";
  const of = environment === undefined ? "" : ` of the environment ${environment}`;
  return [
    `create the D1 database ${databaseNameOf(name, environment)} ${where}`,
    `bind it as ${bindingName(name)} in wrangler.toml${of}, and write worker/env.d.ts anew`,
    "apply every migration to it",
  ];
}

export function databaseNameOf(account: string, environment: string | undefined): string {
  return environment === undefined ? `rental-${account}` : `rental-${environment}-${account}`;
}

/** Adds an account with a schema and nothing in it: for a backup to be restored into. */
export async function addEmptyAccount(name: string, target: Target): Promise<Account> {
  const databaseName = databaseNameOf(name, target.environment);
  const find = () => readAccounts(target.environment).find((account) => account.name === name);
  if (!find()) {
    const databaseId = await step("Database", () => createDatabase(databaseName, target));
    await changeConfig((toml) =>
      withBinding(toml, { name, databaseName, databaseId, environment: target.environment }),
    );
  }
  const account = find();
  if (!account) throw new Error(`wrangler.toml binds no database of ${name}.`);
  await step("Migrations", () => migrateAccount(account, target));
  return account;
}

/** Adds an account; what is there already stays, so that the same command ends what was cut short. */
export async function addAccount(terms: AccountTerms, target: Target, now: number): Promise<NewAccount> {
  const { name } = terms;
  const masterKey = await masterKeyOf(target);
  const account = await addEmptyAccount(name, target);
  return withDatabase(account, target, async (db) => {
    await step("Settings", () => storeSettings(db, terms));
    const hasUser = await db.prepare("SELECT 1 AS found FROM users WHERE kind = 'staff' LIMIT 1").first();
    const hasKey = await db.prepare("SELECT 1 AS found FROM partner_keys LIMIT 1").first();
    return {
      user: hasUser
        ? undefined
        : await addUser(db, {
            email: terms.email,
            fullName: terms.company,
            role: "administrator",
            branches: undefined,
            now,
          }),
      key: hasKey
        ? undefined
        : await addPartnerKey(db, {
            account: name,
            masterKey,
            label: "Integration",
            scopes: ["integration", "analytics"],
            agency: undefined,
            now,
          }),
    };
  });
}

async function createDatabase(databaseName: string, { isRemote }: Target): Promise<string> {
  if (!isRemote) return randomUUID();
  // Made by a run that was cut short before it was bound.
  const listed = jsonIn<readonly { readonly name: string; readonly uuid: string }[]>(
    await ask(wrangler("d1", "list", "--json")),
  );
  const known = listed?.find(({ name }) => name === databaseName)?.uuid;
  if (known) return known;
  const output = await runOrThrow(...wrangler("d1", "create", databaseName));
  const id = /"?database_id"?\s*[=:]\s*"([0-9a-f-]{36})"/.exec(output)?.[1];
  if (!id) throw new Error(`wrangler did not say the id of the new database:\n${output.trim()}`);
  return id;
}

async function storeSettings(db: D1Database, terms: AccountTerms): Promise<void> {
  await db.batch([
    db
      .prepare(`INSERT INTO settings (id, account_name, country_code, currency, currency_decimals, timezone, languages, default_language)
        VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO NOTHING`)
      .bind(
        terms.company,
        terms.country,
        terms.currency,
        terms.currencyDecimals,
        terms.timezone,
        JSON.stringify(terms.languages),
        terms.languages[0] ?? "en",
      ),
  ]);
}
