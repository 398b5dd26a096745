import { withDatabases } from "../local-runtime.ts";
import { getStateFolder, readOrCreateDevelopmentSecrets } from "../state-folder.ts";
import type { ConfiguredAccount } from "../wrangler-toml.ts";
import { addBusyRetry } from "./busy-retry.ts";
import { type OperatorAccess, openDatabaseOverOperatorApi, readOperatorAccess } from "./operator.ts";
import { openDatabaseOverWrangler } from "./wrangler-d1.ts";

/** Location of account databases: the local state folder or Cloudflare. */
export interface DeploymentTarget {
  readonly isRemote: boolean;
  /** Environment in wrangler.toml, if not the top-level one. */
  readonly environment: string | undefined;
  readonly stateDir: string;
  /** Access to the deployed Worker, which reads and writes companies' data. Without it, wrangler does. */
  readonly operator?: OperatorAccess | undefined;
}

/** Returns the deployment that the options `--remote` and `--env` select. */
export function parseTarget(options: {
  readonly remote?: boolean;
  readonly env?: string | undefined;
}): DeploymentTarget {
  const { remote: isRemote = false, env: environment } = options;
  return {
    isRemote,
    environment,
    stateDir: getStateFolder(),
    operator: isRemote ? readOperatorAccess(environment) : undefined,
  };
}

/** Opens an account's database at Cloudflare: through the Worker if there's an operator's key, else by wrangler. */
function openRemote(
  { name, databaseName }: Pick<ConfiguredAccount, "name" | "databaseName">,
  target: DeploymentTarget,
): D1Database {
  return target.operator
    ? openDatabaseOverOperatorApi(target.operator, name)
    : openDatabaseOverWrangler(databaseName, getWranglerFlags(target));
}

/** Returns wrangler's flags for the target's databases. */
export function getWranglerFlags({ isRemote, environment, stateDir }: DeploymentTarget): readonly string[] {
  return [
    ...(isRemote ? ["--remote"] : ["--local", "--persist-to", stateDir]),
    ...(environment === undefined ? [] : ["--env", environment]),
  ];
}

/** Returns the master key that encrypts secrets, from the state folder or, for Cloudflare, the variable MASTER_KEY. */
export async function readMasterKey(target: DeploymentTarget): Promise<string> {
  if (!target.isRemote) return (await readOrCreateDevelopmentSecrets(target.stateDir)).MASTER_KEY;
  const key = keyFromVariable("MASTER_KEY");
  if (key === undefined) {
    throw new Error(
      "Set the variable MASTER_KEY to the Worker's secret of that name (32 bytes in base64): it seals the account's keys.",
    );
  }
  return key;
}

/** Returns the second key during a master key change, from the variable PREVIOUS_MASTER_KEY. */
export function readPreviousMasterKey(): string | undefined {
  return keyFromVariable("PREVIOUS_MASTER_KEY");
}

function keyFromVariable(name: string): string | undefined {
  const key = process.env[name];
  if (!key) return undefined;
  if (!/^[A-Za-z0-9+/]{43}=$/.test(key)) throw new Error(`The variable ${name} must be 32 bytes in base64.`);
  return key;
}

/** Result or error of one account's database. */
export type AccountResult<T> = { readonly account: ConfiguredAccount } & (
  | { readonly answer: T }
  | { readonly error: unknown }
);

/**
 * Runs work on each account's database in turn. Local ones share a runtime. Errors are returned per account and don't
 * stop the others.
 */
export async function runForEachAccount<T>(
  accounts: readonly ConfiguredAccount[],
  target: DeploymentTarget,
  work: (db: D1Database, account: ConfiguredAccount) => Promise<T>,
): Promise<readonly AccountResult<T>[]> {
  const askAll = async (getDatabase: (account: ConfiguredAccount) => D1Database) => {
    const results: AccountResult<T>[] = [];
    for (const account of accounts) {
      try {
        results.push({ account, answer: await work(getDatabase(account), account) });
      } catch (error) {
        results.push({ account, error });
      }
    }
    return results;
  };
  if (target.isRemote) return askAll((account) => openRemote(account, target));
  return withDatabases(target.stateDir, ({ databases }) => askAll(({ name }) => addBusyRetry(bound(databases, name))));
}

function bound(databases: ReadonlyMap<string, D1Database>, name: string): D1Database {
  const db = databases.get(name);
  if (!db) throw new Error(`wrangler.toml binds no database of ${name}.`);
  return db;
}

/** Runs work on one account's database. */
export async function withDatabase<T>(
  account: Pick<ConfiguredAccount, "name" | "databaseName">,
  target: DeploymentTarget,
  work: (db: D1Database) => Promise<T>,
): Promise<T> {
  if (target.isRemote) return work(openRemote(account, target));
  return withDatabases(target.stateDir, ({ databases }) => work(addBusyRetry(bound(databases, account.name))));
}
