import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type Unstable_Config, unstable_readConfig } from "wrangler";
import {
  getBindingAccount,
  getBindingJurisdiction,
  getBindingName,
  JURISDICTIONS,
  type Jurisdiction,
} from "#worker/tenancy/bindings.ts";
import { writeAtomically } from "./files.ts";
import { PRINTER_CONFIG, PROJECT_ROOT } from "./processes.ts";

/** Configuration of a Worker as read by wrangler. */
export type WranglerConfig = Unstable_Config;

/** An account in wrangler.toml with its own database. */
export interface ConfiguredAccount {
  readonly name: string;
  readonly binding: string;
  readonly databaseName: string;
  readonly migrationsFolder: string;
  /** Region that the account's data must not leave. */
  readonly jurisdiction: Jurisdiction | undefined;
}

/** Returns the wrangler.toml that commands read and write, from WRANGLER_CONFIG or the project's own. */
export function getConfigPath(): string {
  return resolve(PROJECT_ROOT, process.env["WRANGLER_CONFIG"] || "wrangler.toml");
}

/** Returns the environment of the Worker for long-running work (decision 0026). */
export function toOfficeEnvironment(environment: string): string {
  return `${environment}-office`;
}

function refuseUnknown(environment: string, path: string): void {
  const headings = readFileSync(path, "utf8").matchAll(/^\[env\.([\w-]+)\]/gm);
  const names = [...headings].map(([, name = ""]) => name);
  if (names.includes(environment)) return;
  // Office environments are omitted, because each belongs to a main one.
  const offered = names.filter((name) => !name.endsWith(toOfficeEnvironment("")));
  const are = offered.length > 0 ? `there are ${offered.join(" and ")}` : "it has none";
  throw new Error(`${basename(path)} has no environment ${environment}: ${are}.`);
}

/** Reads the configuration of wrangler.toml or one of its environments. Throws if the environment doesn't exist. */
export function readWranglerConfig(environment?: string, path = getConfigPath()): WranglerConfig {
  if (environment) refuseUnknown(environment, path);
  const configOptions = { config: path, ...(environment && { env: environment }) };
  return unstable_readConfig(configOptions, { hideWarnings: true });
}

/** Reads the printer's configuration, optionally of an environment. */
export function readPrinterConfig(environment?: string): WranglerConfig {
  return unstable_readConfig(
    { config: PRINTER_CONFIG, ...(environment && { env: environment }) },
    { hideWarnings: true },
  );
}

/** Lists the accounts of wrangler.toml or one of its environments, bound as TENANT_<NAME>. */
export function readAccounts(environment?: string): readonly ConfiguredAccount[] {
  return readWranglerConfig(environment).d1_databases.flatMap(
    ({ binding, database_name, migrations_dir = "migrations" }) => {
      const name = getBindingAccount(binding);
      if (name === undefined || database_name === undefined) return [];
      const migrationsFolder = join(PROJECT_ROOT, migrations_dir);
      const jurisdiction = getBindingJurisdiction(binding);
      return [{ name, binding, databaseName: database_name, migrationsFolder, jurisdiction }];
    },
  );
}

/** Changes wrangler.toml atomically. Call `writeEnvironmentTypes` once afterwards. */
export async function changeWranglerConfig(change: (toml: string) => string): Promise<void> {
  const before = await readFile(getConfigPath(), "utf8");
  const after = change(before);
  if (after !== before) await writeAtomically(getConfigPath(), after);
}

/** Database binding of an account. */
interface Binding {
  readonly name: string;
  readonly databaseName: string;
  readonly databaseId: string;
  readonly jurisdiction?: Jurisdiction | undefined;
  /** Environment in wrangler.toml, or undefined for the top level. */
  readonly environment: string | undefined;
}

/**
 * Returns wrangler.toml with an additional database for the front and office Workers. Everything else stays unchanged.
 */
export function addDatabaseBinding(
  toml: string,
  { name, databaseName, databaseId, jurisdiction, environment }: Binding,
): string {
  return listHeaders(toml, environment).reduce((text, header) => {
    const block = `${header}
binding = "${getBindingName(name, jurisdiction)}"
database_name = "${databaseName}"
database_id = "${databaseId}"
migrations_dir = "migrations"
`;
    const last = findBlocks(text, header).at(-1);
    if (last) return `${text.slice(0, last.end)}${block}\n${text.slice(last.end)}`;
    return `${text.trimEnd()}\n\n${block}`;
  }, toml);
}

/** Returns wrangler.toml without an account's database. */
export function removeDatabaseBinding(toml: string, account: string, environment: string | undefined): string {
  return listHeaders(toml, environment).reduce((text, header) => {
    const names = [undefined, ...JURISDICTIONS].map((jurisdiction) => getBindingName(account, jurisdiction));
    const isOwn = ({ start, end }: Block) =>
      names.some((name) => text.slice(start, end).includes(`binding = "${name}"`));
    const own = findBlocks(text, header).find(isOwn);
    return own ? text.slice(0, own.start) + text.slice(own.end) : text;
  }, toml);
}

/** Lists the headers of database tables for an environment's Workers. */
function listHeaders(toml: string, environment: string | undefined): readonly string[] {
  if (environment === undefined) return ["[[d1_databases]]"];
  const office = toOfficeEnvironment(environment);
  const environments = toml.includes(`[env.${office}]`) ? [environment, office] : [environment];
  return environments.map((environment) => `[[env.${environment}.d1_databases]]`);
}

interface Block {
  readonly start: number;
  /** Position of the next table or the comment before it. */
  readonly end: number;
}

// Finds the blocks of a header. A block ends at the next table, or at the comment directly before it.
function findBlocks(toml: string, header: string): Block[] {
  const blocks: Block[] = [];
  for (let start = toml.indexOf(header); start !== -1; start = toml.indexOf(header, start + 1)) {
    const after = toml.slice(start + header.length);
    const end = start + header.length + (/^(?:#.*\n)*\[/m.exec(after)?.index ?? after.length);
    blocks.push({ start, end });
  }
  return blocks;
}
