import { getTableColumns } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import { RESOURCE_BINDINGS } from "#worker/store/catalogue/resources/bindings.ts";
import type { OfficeWrite, WritersHistory } from "../history.ts";
import {
  ACCOUNTS,
  type AccountDatabases,
  CONFIRMED_RECORDS_EXIST,
  DOUBLE,
  FOREIGN,
  getOtherAccount,
  NO_REJECTED_RECORDS,
  reportIf,
  type Violation,
} from "./violation.ts";

/**
 * Checks that each acknowledged office write was executed once in its account and recorded in the history, and no
 * rejected one was. Removed records are gone, and others exist once.
 */
export function checkOfficeWrites(accounts: AccountDatabases, history: WritersHistory): readonly Violation[] {
  const requests = { acme: readRequests(accounts.acme), globex: readRequests(accounts.globex) };
  return [
    ...[...history.officeWrites].flatMap(([key, write]) => checkWrite(key, write, accounts, requests)),
    ...ACCOUNTS.flatMap((account) => [
      ...checkHandOvers(account, accounts[account], history),
      ...checkOwnActions(account, accounts[account], history),
      ...checkStoredResources(account, accounts[account], history),
    ]),
  ];
}

// Records by the idempotency key of their write. Keys are stored per user.
function readRequests(rows: Rows): ReadonlyMap<string, string> {
  const sql = "SELECT substr(request_key, instr(request_key, ':') + 1) AS key, resource FROM office_requests";
  return new Map(rows<{ key: string; resource: string }>(sql).map(({ key, resource }) => [key, resource]));
}

function checkWrite(
  key: string,
  write: OfficeWrite,
  accounts: AccountDatabases,
  requests: Readonly<Record<AccountName, ReadonlyMap<string, string>>>,
): readonly Violation[] {
  const { account, state, id, version = 0 } = write;
  const resource = requests[account].get(key);
  const detail = `${key} ${JSON.stringify(write)}: ${resource}`;
  if (requests[getOtherAccount(account)].has(key)) return reportIf(true, FOREIGN, detail);
  if (state !== "done") return reportIf(state === "refused" && resource !== undefined, NO_REJECTED_RECORDS, detail);
  if (resource === undefined || (id !== undefined && resource !== id))
    return reportIf(true, CONFIRMED_RECORDS_EXIST, detail);
  if (!write.isReservation) return [];
  const [booking] = accounts[account]<{ version: number; entries: number }>(
    "SELECT version, (SELECT count(*) FROM booking_history WHERE booking_id = bookings.id) AS entries FROM bookings WHERE id = ?",
    Number(id),
  );
  const isThere = booking !== undefined && booking.version >= version && booking.entries >= booking.version;
  return reportIf(!isThere, CONFIRMED_RECORDS_EXIST, `${detail}: ${JSON.stringify(booking)}`);
}

// Checks that field work of the desk exists once for a requested action, with all payments made.
function checkHandOvers(account: AccountName, rows: Rows, history: WritersHistory): readonly Violation[] {
  const requested = [...history.officeWrites.values()].filter(
    (write) => write.account === account && write.state !== "refused",
  );
  const many = Map.groupBy(requested, ({ id, operation }) => `${id} ${operation}`);
  return rows<{ name: string; done: number; charges: number; taken: number }>(
    `SELECT booking_id || iif(kind = 'delivery', ' deliverVehicle', ' collectVehicle') AS name, count(*) AS done,
        sum(json_array_length(operation, '$.charges')) AS charges,
        sum((SELECT count(*) FROM charges JOIN json_each(operation, '$.charges') ON charges.uid = value ->> 'chargeId')) AS taken
      FROM check_in_operations WHERE device_id = 'office' GROUP BY 1`,
  ).flatMap((row) => {
    const isDouble = row.done > (many.get(row.name)?.length ?? 0) || row.charges !== row.taken;
    return reportIf(isDouble, DOUBLE, `${account} at the desk: ${JSON.stringify(row)}`);
  });
}

// Checks that a booking is as reported to the customer, or was changed afterwards.
function checkOwnActions(account: AccountName, rows: Rows, history: WritersHistory): readonly Violation[] {
  return [...history.customerActions.values()].flatMap((ownAction) => {
    if (ownAction.account !== account || ownAction.state !== "done") return [];
    const [item] = rows<{ version: number; status: string }>(
      "SELECT version, status FROM bookings WHERE free_access_id = ?",
      ownAction.freeAccessId,
    );
    const isThere = item !== undefined && item.version >= (ownAction.version ?? 0);
    const isApplied = ownAction.action === "change" || item?.status === "cancelled";
    const detail = `${account} a customer's ${JSON.stringify(ownAction)}: ${JSON.stringify(item)}`;
    return reportIf(!isThere || !isApplied, CONFIRMED_RECORDS_EXIST, detail);
  });
}

interface ExpectedResource {
  /** Highest acknowledged version. */
  readonly version: number;
  readonly isRemoved: boolean;
  /** Whether a write with an unknown outcome exists. */
  readonly isOpen: boolean;
}

function checkStoredResources(account: AccountName, rows: Rows, history: WritersHistory): readonly Violation[] {
  const writes = [...history.officeWrites.values()].filter(
    (write) => write.account === account && write.id !== undefined && write.kind && write.kind in RESOURCE_BINDINGS,
  );
  return [...Map.groupBy(writes, ({ kind, id }) => `${kind} ${id}`)].flatMap(([name, ofResource]) => {
    const done = ofResource.filter(({ state }) => state === "done");
    return checkResource(rows, `${account}: ${name}`, name.split(" ") as [ResourceName, string], {
      version: Math.max(0, ...done.map(({ version = 0 }) => version)),
      isRemoved: done.some(({ isRemoval }) => isRemoval),
      isOpen: ofResource.some(({ state }) => state === "asked"),
    });
  });
}

function checkResource(
  rows: Rows,
  name: string,
  [kind, id]: readonly [ResourceName, string],
  expected: ExpectedResource,
): readonly Violation[] {
  const { table, key } = RESOURCE_BINDINGS[kind];
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
  const detail = `${name} ${JSON.stringify({ ...expected, kept: item })}`;
  const expectedCount = expected.isRemoved ? 0 : 1;
  if (!expected.isOpen && item?.many !== expectedCount)
    return reportIf(true, "what the office keeps is there once", detail);
  // Each history entry has a unique version. The demo's own records have no first entry.
  const hasInitialVersion = kind === "settings" || (kind === "gateways" && (item?.first === 2 || item?.entries === 0));
  const firstVersions = hasInitialVersion ? 1 : 0;
  // Writing an unchanged value creates no entry.
  const version = Math.max(item?.version ?? 0, firstVersions);
  const isComplete = item !== undefined && version >= expected.version && item.entries === version - firstVersions;
  return reportIf(!isComplete, "the history tells every version", detail);
}
