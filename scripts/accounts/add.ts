import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isLanguageCode } from "#domain/catalogue/languages.ts";
import { isTimezone } from "#domain/catalogue/resources/parse.ts";
import { isCountryCode } from "#domain/countries.ts";
import { normalizeEmail, normalizeOrCleanEmail } from "#domain/identity.ts";
import { runWithoutPauses } from "#domain/run-in-slices.ts";
import { detectSeparator, parseCsvSheet } from "#worker/imports/parse-csv.ts";
import { ACCOUNT_NAME_PATTERN, getBindingName, type Jurisdiction } from "#worker/tenancy/bindings.ts";
import { migrateAccount } from "../migrations.ts";
import { createWranglerCommand, parseJsonOutput, readCommandOutput, runOrThrow } from "../processes.ts";
import { runStep } from "../steps.ts";
import { writeEnvironmentTypes } from "../types.ts";
import {
  addDatabaseBinding,
  type ConfiguredAccount,
  changeWranglerConfig,
  readAccounts,
  removeDatabaseBinding,
} from "../wrangler-toml.ts";
import { addPartnerKey, addUser } from "./credentials.ts";
import { chooseDataLocation, type DataLocation, findDataLocationProblems, NO_JURISDICTION } from "./data-location.ts";
import { assignSpareDatabase, usesDirectory } from "./directory.ts";
import { type DeploymentTarget, readMasterKey, withDatabase } from "./target.ts";

const COLUMNS = ["account", "company", "country", "currency", "timezone", "languages", "email"] as const;
/** Optional columns. The default of empty ones is in the deployment's variables. */
const PLACE_COLUMNS = ["jurisdiction", "location"] as const;

/** Data of a new account, as typed. The email belongs to its first user, an administrator. */
type NewCompanySettings = Readonly<Record<(typeof COLUMNS)[number] | (typeof PLACE_COLUMNS)[number], string>>;

/** Creates account terms from options. */
export function toNewCompanySettings(
  inputTerms: { readonly [column in keyof NewCompanySettings]?: string | undefined },
): NewCompanySettings {
  const {
    account = "",
    company = "",
    country = "",
    currency = "",
    timezone = "",
    languages = "",
    email = "",
    jurisdiction = "",
    location = "",
  } = inputTerms;
  return {
    account,
    company,
    country,
    currency,
    timezone,
    languages,
    email: normalizeOrCleanEmail(email),
    jurisdiction,
    location,
  };
}

/** Reads companies from a CSV file, one per line. */
export async function readNewCompanies(file: string): Promise<readonly NewCompanySettings[]> {
  const text = await readFile(file, "utf8");
  const sheet = runWithoutPauses(parseCsvSheet(text, detectSeparator(text)));
  if (!sheet) throw new Error(`${file} isn't valid CSV: a quote is not closed.`);
  const lines = sheet.map(({ cells }) => cells.map((cell) => cell.trim()));
  const [heading = [], ...rows] = lines.filter((cells) => cells.some((cell) => cell !== ""));
  const missing = COLUMNS.filter((column) => !heading.includes(column));
  if (missing.length > 0) throw new Error(`${file} has no column ${missing.join(", ")}.`);
  return rows.map((cells) =>
    toNewCompanySettings(
      Object.fromEntries([...COLUMNS, ...PLACE_COLUMNS].map((column) => [column, cells[heading.indexOf(column)]])),
    ),
  );
}

/** Error for an invalid account name. */
export const INVALID_ACCOUNT_NAME_MESSAGE =
  "the name must be 2 to 31 letters, digits and hyphens, a letter first and no hyphen last, in lower case";

const parseLanguages = ({ languages }: NewCompanySettings) => languages.split(/[,\s]+/).filter(Boolean);

/** Validates the terms. Each error names its option. */
export function* findNewCompanyProblems(terms: NewCompanySettings, target: DeploymentTarget): Generator<string> {
  const languages = parseLanguages(terms);
  if (!ACCOUNT_NAME_PATTERN.test(terms.account)) yield INVALID_ACCOUNT_NAME_MESSAGE;
  if (!terms.company.trim()) yield "--company is required: the company's name";
  if (!isCountryCode(terms.country)) yield "--country must be an ISO code of two letters, ES";
  if (!isCurrency(terms.currency)) yield "--currency must be an ISO code of three letters, EUR";
  if (!isTimezone(terms.timezone)) yield "--timezone must be a time zone, Europe/Madrid";
  if (languages.length === 0 || !languages.every(isLanguageCode))
    yield "--languages must be codes of two letters, es,en: the first is the account's own";
  if (!normalizeEmail(terms.email)) yield "--email must be the address of the first administrator";
  yield* findDataLocationProblems(terms, target);
}

const isCurrency = (code: string) => Intl.supportedValuesOf("currency").includes(code);

/** Lists the steps of `addCompanies` for one company. */
export function listAddCompanySteps(terms: NewCompanySettings, target: DeploymentTarget): readonly string[] {
  const { account, company, country, currency, timezone, email } = terms;
  return [
    ...listEmptyAccountSteps(account, target, chooseDataLocation(terms, target)),
    `store the settings of ${company}: ${country}, ${currency}, ${timezone}, ${parseLanguages(terms).join(" ")}`,
    `make ${email} its administrator, and a partner key for integration and analytics; both are shown once`,
  ];
}

/** Lists the steps of `addEmptyAccount`. */
export function listEmptyAccountSteps(
  name: string,
  { isRemote, environment }: DeploymentTarget,
  { jurisdiction, location }: DataLocation,
): readonly string[] {
  const place = jurisdiction ? `, in the jurisdiction ${jurisdiction}` : location ? `, in ${location}` : "";
  const where = isRemote ? `at Cloudflare${place}` : "in the local state folder";
  if (usesDirectory({ isRemote, environment, stateDir: "" }))
    return [`give ${name} a spare database${place}, without a deployment`];
  const environmentText = environment === undefined ? "" : ` of the environment ${environment}`;
  if (readAccounts(environment).some((account) => account.name === name))
    return [`find ${name} in wrangler.toml, where it is already: only what it lacks of this would be made`];
  return [
    `create the D1 database ${toDatabaseName(name, environment, jurisdiction)} ${where}`,
    `bind it as ${getBindingName(name, jurisdiction)} in wrangler.toml${environmentText}, and write worker/env.d.ts anew`,
    "apply every migration to it",
  ];
}

// Uses wrangler, because the deployed Worker doesn't know a new account. Its few rows fit into a command.
const withoutWorker = (target: DeploymentTarget): DeploymentTarget => ({ ...target, operator: undefined });

// The name contains the region, so that an interrupted command's database isn't found for another region. No account
// name contains an underscore.
function toDatabaseName(account: string, environment: string | undefined, jurisdiction?: Jurisdiction): string {
  const name = environment === undefined ? `rental-${account}` : `rental-${environment}-${account}`;
  return jurisdiction ? `${name}_${jurisdiction}` : name;
}

/** Returns the name of a numbered database: `rental-production-01-0007`, or `rental-production-01-0007_eu`. */
export function getSlotDatabaseName(place: {
  readonly environment: string;
  readonly cell: string;
  readonly slot: number;
  readonly jurisdiction?: Jurisdiction | undefined;
}): string {
  const { environment, cell, slot, jurisdiction } = place;
  return toDatabaseName(`${cell}-${String(slot).padStart(4, "0")}`, environment, jurisdiction);
}

/** Adds an account with an empty schema, to restore a backup into. */
export async function addEmptyAccount(
  name: string,
  requestedTarget: DeploymentTarget,
  place: DataLocation,
): Promise<ConfiguredAccount> {
  if (usesDirectory(requestedTarget))
    return runStep("Database", () => assignSpareDatabase(name, place.jurisdiction, requestedTarget));
  const target = withoutWorker(requestedTarget);
  const { environment } = target;
  const databaseName = toDatabaseName(name, environment, place.jurisdiction);
  const find = () => readAccounts(environment).find((account) => account.name === name);
  if (!find()) {
    const { jurisdiction } = place;
    const databaseId = await runStep("Database", () => createDatabase(databaseName, target, place));
    await changeWranglerConfig((toml) =>
      addDatabaseBinding(toml, { name, databaseName, databaseId, jurisdiction, environment }),
    );
  }
  const account = find();
  if (!account) throw new Error(`wrangler.toml binds no database of ${name}.`);
  await runStep("Migrations", () => migrateAccount(account, target));
  return account;
}

/** Creates a database, or finds the one of an interrupted run. Returns its id. */
export async function createDatabase(
  databaseName: string,
  { isRemote }: DeploymentTarget,
  place: DataLocation,
): Promise<string> {
  if (!isRemote) return randomUUID();
  // The database may exist from an interrupted run. Listing all databases would take an API call for every ten of them.
  const info = parseJsonOutput<{ readonly uuid?: string; readonly jurisdiction?: string | null }>(
    await readCommandOutput(createWranglerCommand("d1", "info", databaseName, "--json")),
  );
  const { jurisdiction, location } = place;
  // The name contains the region, but another command may have created a database of that name elsewhere.
  if (info?.uuid && info.jurisdiction !== undefined && (info.jurisdiction ?? undefined) !== jurisdiction)
    throw new Error(
      `The database ${databaseName} exists in the jurisdiction ${info.jurisdiction ?? NO_JURISDICTION}, not in ` +
        `${jurisdiction ?? NO_JURISDICTION}. Delete it with wrangler d1 delete if it has no data, then repeat.`,
    );
  if (info?.uuid) return info.uuid;
  const flags = [
    ...(jurisdiction ? ["--jurisdiction", jurisdiction] : []),
    ...(location ? ["--location", location] : []),
  ];
  const output = await runOrThrow(...createWranglerCommand("d1", "create", databaseName, ...flags));
  const id = /"?database_id"?\s*[=:]\s*"([0-9a-f-]{36})"/.exec(output)?.[1];
  if (!id) throw new Error(`wrangler didn't report the ID of the new database:\n${output.trim()}`);
  return id;
}

/** Adds companies. Existing parts stay, so that a repeated command completes an interrupted one. */
export async function addCompanies(
  companies: readonly NewCompanySettings[],
  target: DeploymentTarget,
  now: number,
): Promise<void> {
  for (const terms of companies) {
    const masterKey = await readMasterKey(target);
    const account = await addEmptyAccount(terms.account, target, chooseDataLocation(terms, target));
    const reached = usesDirectory(target) ? target : withoutWorker(target);
    const { before, password, key } = await withDatabase(account, reached, (db) => fill(db, terms, masterKey, now));
    const isOld = before && !password && !key;
    if (isOld) console.log(`\n${terms.account} was there already, as ${before}: nothing of it was changed.`);
    else console.log(`\n${terms.account} is there.`);
    if (password) console.log(`  administrator  ${terms.email} / ${password}`);
    if (key) console.log(`  partner key    ${key.apiKey} : ${key.secret}   (integration, analytics)`);
    if (password || key) console.log("These are shown once.");
  }
  await writeEnvironmentTypes();
}

// Creates settings, the first user and the first key if missing.
async function fill(db: D1Database, terms: NewCompanySettings, masterKey: string, now: number) {
  const before = await db
    .prepare(
      "SELECT account_name || ' (' || country_code || ', ' || currency || ', ' || timezone || ')' AS description FROM settings",
    )
    .first<string>("description");
  await runStep("Settings", () => storeNewCompanySettings(db, terms));
  const { account, email, company } = terms;
  const hasUser = await db.prepare("SELECT 1 AS found FROM users WHERE kind = 'staff' LIMIT 1").first();
  const hasKey = await db.prepare("SELECT 1 AS found FROM partner_keys LIMIT 1").first();
  const user = { email, fullName: company, role: "administrator", branches: undefined, now } as const;
  const scopes = ["integration", "analytics"] as const;
  return {
    /** Earlier company name, if settings existed. */
    before,
    password: hasUser ? undefined : await addUser(db, user),
    key: hasKey
      ? undefined
      : await addPartnerKey(db, { account, masterKey, label: "Integration", scopes, agency: undefined, now }),
  };
}

/** Stores the settings of a new company. Limits have the same numbers in every currency. */
export async function storeNewCompanySettings(db: D1Database, terms: NewCompanySettings): Promise<void> {
  const { company, country, currency, timezone } = terms;
  const languages = parseLanguages(terms);
  const { maximumFractionDigits: decimals = 2 } = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
  }).resolvedOptions();
  const unit = 10 ** Math.max(2, decimals);
  await db
    .prepare(`INSERT INTO settings (id, account_name, country_code, currency, currency_decimals, timezone, languages, default_language,
        agent_limit_cents, closing_charge_limit_cents, simplified_limit_cents, refund_approval_cents)
      VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, 100 * ?8, 300 * ?8, 400 * ?8, 500 * ?8) ON CONFLICT (id) DO NOTHING`)
    .bind(company, country, currency, decimals, timezone, JSON.stringify(languages), languages[0] ?? "en", unit)
    .run();
}

/** Lists the steps of `removeCompany`. */
export function listRemoveCompanySteps(
  { name, databaseName }: ConfiguredAccount,
  deletesData: boolean,
): readonly string[] {
  return [
    `take ${name} out of wrangler.toml, so that it is served no more`,
    deletesData
      ? `delete the database ${databaseName} with all its data permanently`
      : `leave the database ${databaseName} as it is`,
  ];
}

/** Removes a company from wrangler.toml and from service, then optionally deletes its data. */
export async function removeCompany(
  { name, databaseName }: ConfiguredAccount,
  target: DeploymentTarget,
  { deletesData, serve }: { readonly deletesData: boolean; readonly serve: () => Promise<void> },
): Promise<void> {
  await changeWranglerConfig((toml) => removeDatabaseBinding(toml, name, target.environment));
  await writeEnvironmentTypes();
  console.log(`${name} is out of wrangler.toml.`);
  if (!target.isRemote) return;
  await serve();
  if (!deletesData) return;
  await runOrThrow(...createWranglerCommand("d1", "delete", databaseName, "--skip-confirmation"));
  console.log(`The database ${databaseName} is deleted.`);
}
