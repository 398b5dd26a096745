import { getTableColumns } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import type { AccountName } from "#tools/platform/client.ts";
import { RESOURCE_BINDINGS } from "#worker/store/catalogue/resources/bindings.ts";
import type { ResourceWriteRecord, WritersHistory } from "../history.ts";
import type { AccountDatabases, Violation } from "./violation.ts";

const ACCOUNTS: readonly AccountName[] = ["acme", "globex"];

/**
 * Checks that each acknowledged office write was executed once and recorded in the history, and no rejected one was.
 * Removed records are gone, and others exist once.
 */
export function checkResources(accounts: AccountDatabases, history: WritersHistory): readonly Violation[] {
  const requestsByAccount = { acme: readRequests(accounts, "acme"), globex: readRequests(accounts, "globex") };
  return [
    ...[...history.resources].flatMap(([key, work]) => checkRequest(key, work, requestsByAccount)),
    ...ACCOUNTS.flatMap((account) => checkStoredResources(account, accounts, history)),
  ];
}

type Requests = Readonly<Record<AccountName, ReadonlyMap<string, string>>>;

// Idempotency keys are stored per user.
function readRequests(accounts: AccountDatabases, account: AccountName): ReadonlyMap<string, string> {
  const rows = accounts[account]<{ readonly key: string; readonly resource: string }>(
    "SELECT substr(request_key, instr(request_key, ':') + 1) AS key, resource FROM office_requests",
  );
  return new Map(rows.map(({ key, resource }) => [key, resource]));
}

function checkRequest(key: string, work: ResourceWriteRecord, requestsByAccount: Requests): readonly Violation[] {
  const { account, kind, state, id } = work;
  const resource = requestsByAccount[account].get(key);
  const detail = `${account}: ${kind} ${id} under ${key} was ${state}`;
  if (requestsByAccount[account === "acme" ? "globex" : "acme"].has(key))
    return [{ check: "nothing of one account is in another", detail }];
  if (state === "refused" && resource !== undefined) return [{ check: "nothing is there that was refused", detail }];
  const isThere = resource !== undefined && (id === undefined || resource === id);
  return state === "done" && !isThere ? [{ check: "all confirmed records exist", detail }] : [];
}

interface ExpectedResource {
  /** Highest acknowledged version. */
  version: number;
  isRemoved: boolean;
  /** Whether a write with an unknown outcome exists. */
  isOpen: boolean;
}

function checkStoredResources(
  account: AccountName,
  accounts: AccountDatabases,
  history: WritersHistory,
): readonly Violation[] {
  const expectedResources = new Map<string, ExpectedResource>();
  for (const { account: accountName, kind, id, state, version = 0, isRemoval } of history.resources.values()) {
    if (accountName !== account || id === undefined || !(kind in RESOURCE_BINDINGS)) continue;
    const name = `${kind} ${id}`;
    const known = expectedResources.get(name) ?? { version: 0, isRemoved: false, isOpen: false };
    known.isOpen ||= state === "asked";
    if (state === "done") {
      known.version = Math.max(known.version, version);
      known.isRemoved ||= isRemoval;
    }
    expectedResources.set(name, known);
  }
  return [...expectedResources].flatMap(([name, accountName]) =>
    checkResource(accounts[account], { account, name, of: accountName }),
  );
}

function checkResource(
  rows: AccountDatabases[AccountName],
  { account, name, of }: { readonly account: AccountName; readonly name: string; readonly of: ExpectedResource },
): readonly Violation[] {
  const [kind = "", id = ""] = name.split(" ");
  const { table, key } = RESOURCE_BINDINGS[kind as ResourceName];
  const columns = key.map((text) => `CAST(${getTableColumns(table)[text]?.name} AS TEXT)`);
  const [item] = rows<{
    readonly many: number;
    readonly entries: number;
    readonly version: number;
    readonly first: number;
  }>(
    `SELECT (SELECT count(*) FROM ${getTableConfig(table).name} WHERE ${columns.join(" || '~' || ")} = ?1) AS many, count(*) AS entries,
      coalesce(max(version), 0) AS version, coalesce(min(version), 1) AS first FROM office_history WHERE resource = ?2 AND resource_id = ?1`,
    id,
    kind,
  );
  const detail = `${account}: ${name} ${JSON.stringify({ ...of, kept: item })}`;
  const expectedCount = of.isRemoved ? 0 : 1;
  if (!of.isOpen && item?.many !== expectedCount) return [{ check: "what the office keeps is there once", detail }];
  // Each history entry has a unique version. The demo's own records have no first entry.
  const hasInitialVersion = kind === "settings" || (kind === "gateways" && (item?.first === 2 || item?.entries === 0));
  const firstVersions = hasInitialVersion ? 1 : 0;
  // Writing an unchanged value creates no entry.
  const version = Math.max(item?.version ?? 0, firstVersions);
  const isHistoryComplete = item !== undefined && version >= of.version && item.entries === version - firstVersions;
  return isHistoryComplete ? [] : [{ check: "the history tells every version", detail }];
}
