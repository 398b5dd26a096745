import { join } from "node:path";
import { ACCOUNT_NAME_PATTERN, getBindingJurisdiction, getSlotBindingName } from "#worker/tenancy/bindings.ts";
import { hasDirectory } from "../deployment/configuration.ts";
import { PROJECT_ROOT } from "../processes.ts";
import { type ConfiguredAccount, readAccounts, readWranglerConfig } from "../wrangler-toml.ts";
import { callOperator, requireOperatorAccess } from "./operator.ts";
import type { DeploymentTarget } from "./target.ts";

/** Directory of companies, as the operator route returns it. */
export interface Directory {
  readonly cells: readonly {
    readonly cell: string;
    readonly used: number;
    readonly spare: number;
    readonly retired: number;
    readonly new: number;
    readonly failed: number;
    readonly oldest_schema: string | null;
    readonly clock_at: number | null;
  }[];
  readonly accounts: readonly {
    readonly account: string;
    readonly cell: string;
    readonly slot: number;
    readonly state: string;
    readonly jurisdiction: string;
    readonly schema_version: string | null;
    readonly bookmark: string | null;
    readonly size_bytes: number | null;
    readonly backup_at: number | null;
    readonly clock_at: number | null;
    readonly error: string | null;
  }[];
  readonly moves: readonly { readonly account: string; readonly to_cell: string; readonly step: string }[];
  readonly jobs: readonly {
    readonly account: string;
    readonly kind: string;
    readonly failed_at: number;
    readonly failures: number;
  }[];
}

/** Whether the target's companies are rows of a directory. */
export function usesDirectory({ isRemote, environment }: DeploymentTarget): boolean {
  return isRemote && environment !== undefined && hasDirectory(readWranglerConfig(environment));
}

/** Sends a request to the operator's routes of the directory. */
export function callDirectory<T>(target: DeploymentTarget, method: string, path: string, body?: object): Promise<T> {
  return callOperator<T>(requireOperatorAccess(target.operator), method, `/operator/directory${path}`, body);
}

/** Returns a company of the directory as an account. Commands reach its database through the operator's route. */
function toAccount(name: string, slot = 0, jurisdiction = ""): ConfiguredAccount {
  const region = getBindingJurisdiction(
    getSlotBindingName(slot, jurisdiction === "eu" || jurisdiction === "us" ? jurisdiction : undefined),
  );
  const binding = getSlotBindingName(slot, region);
  return { name, binding, databaseName: "", migrationsFolder: join(PROJECT_ROOT, "migrations"), jurisdiction: region };
}

/** Lists the companies of a target: those of its directory, or those bound in wrangler.toml. */
export async function listAccounts(target: DeploymentTarget): Promise<readonly ConfiguredAccount[]> {
  if (!usesDirectory(target)) return readAccounts(target.environment);
  const { accounts } = await callDirectory<Directory>(target, "GET", "");
  return accounts.map(({ account, slot, jurisdiction }) => toAccount(account, slot, jurisdiction));
}

/** Returns a company by name. Undefined if the name is invalid or not bound. */
export function findAccount(name: string, target: DeploymentTarget): ConfiguredAccount | undefined {
  if (usesDirectory(target)) return ACCOUNT_NAME_PATTERN.test(name) ? toAccount(name) : undefined;
  return readAccounts(target.environment).find((account) => account.name === name);
}

/** Gives a new company a spare database. */
export async function assignSpareDatabase(
  name: string,
  jurisdiction: string | undefined,
  target: DeploymentTarget,
): Promise<ConfiguredAccount> {
  const added = await callDirectory<{ cell: string; slot: number }>(target, "PUT", `/accounts/${name}`, {
    jurisdiction: jurisdiction ?? "",
  }).catch((error: unknown) => {
    // A repeated command completes what is missing.
    if (error instanceof Error && error.message.includes("exists in cell")) return undefined;
    throw error;
  });
  if (added) console.log(`${name} has database ${added.slot} of cell ${added.cell}.`);
  return toAccount(name, added?.slot, jurisdiction);
}
