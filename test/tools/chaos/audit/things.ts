import { getTableColumns } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import type { AccountName } from "#tools/platform/client.ts";
import { BINDINGS } from "#worker/store/catalogue/resources/bindings.ts";
import type { History, ThingWork } from "../history.ts";
import type { Accounts, Violation } from "./violation.ts";

const ACCOUNTS: readonly AccountName[] = ["acme", "globex"];

/**
 * Every write to what the office keeps that was acknowledged was done, once, and is told by its history; none that was
 * refused was done; what was removed is gone, and what was not is there once.
 */
export function checkThings(accounts: Accounts, history: History): readonly Violation[] {
  const left = { acme: requestsOf(accounts, "acme"), globex: requestsOf(accounts, "globex") };
  return [
    ...[...history.things].flatMap(([key, work]) => checkRequest(key, work, left)),
    ...ACCOUNTS.flatMap((account) => checkKept(account, accounts, history)),
  ];
}

type Requests = Readonly<Record<AccountName, ReadonlyMap<string, string>>>;

// A key is kept as the user's own.
function requestsOf(accounts: Accounts, account: AccountName): ReadonlyMap<string, string> {
  const rows = accounts[account]<{ readonly key: string; readonly resource: string }>(
    "SELECT substr(request_key, instr(request_key, ':') + 1) AS key, resource FROM office_requests",
  );
  return new Map(rows.map(({ key, resource }) => [key, resource]));
}

function checkRequest(key: string, work: ThingWork, left: Requests): readonly Violation[] {
  const { account, kind, state, id } = work;
  const resource = left[account].get(key);
  const detail = `${account}: ${kind} ${id} under ${key} was ${state}`;
  if (left[account === "acme" ? "globex" : "acme"].has(key))
    return [{ check: "nothing of one account is in another", detail }];
  if (state === "refused" && resource !== undefined) return [{ check: "nothing is there that was refused", detail }];
  const isThere = resource !== undefined && (id === undefined || resource === id);
  return state === "done" && !isThere ? [{ check: "everything acknowledged is there", detail }] : [];
}

interface KnownThing {
  /** The highest version that was acknowledged. */
  version: number;
  isRemoved: boolean;
  /** Whether a write is under way whose end nobody knows. */
  isOpen: boolean;
}

function checkKept(account: AccountName, accounts: Accounts, history: History): readonly Violation[] {
  const told = new Map<string, KnownThing>();
  for (const { account: of, kind, id, state, version = 0, isRemoval } of history.things.values()) {
    if (of !== account || id === undefined || !(kind in BINDINGS)) continue;
    const name = `${kind} ${id}`;
    const known = told.get(name) ?? { version: 0, isRemoved: false, isOpen: false };
    known.isOpen ||= state === "asked";
    if (state === "done") {
      known.version = Math.max(known.version, version);
      known.isRemoved ||= isRemoval;
    }
    told.set(name, known);
  }
  return [...told].flatMap(([name, of]) => checkThing(accounts[account], { account, name, of }));
}

function checkThing(
  rows: Accounts[AccountName],
  { account, name, of }: { readonly account: AccountName; readonly name: string; readonly of: KnownThing },
): readonly Violation[] {
  const [kind = "", id = ""] = name.split(" ");
  const { table, key } = BINDINGS[kind as ResourceName];
  const columns = key.map((one) => `CAST(${getTableColumns(table)[one]?.name} AS TEXT)`);
  const [kept] = rows<{
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
  const detail = `${account}: ${name} ${JSON.stringify({ ...of, kept })}`;
  const wanted = of.isRemoved ? 0 : 1;
  if (!of.isOpen && kept?.many !== wanted) return [{ check: "what the office keeps is there once", detail }];
  // A version for each entry, and none twice; nobody writes the first one of what the demo brings.
  const isBrought = kind === "settings" || (kind === "gateways" && (kept?.first === 2 || kept?.entries === 0));
  const firstVersions = isBrought ? 1 : 0;
  // What was said as it was already is no news.
  const version = Math.max(kept?.version ?? 0, firstVersions);
  const isTold = kept !== undefined && version >= of.version && kept.entries === version - firstVersions;
  return isTold ? [] : [{ check: "the history tells every version", detail }];
}
