import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import type { OfficeActionRecord, WritersHistory } from "../history.ts";
import type { AccountDatabases, Violation } from "./violation.ts";

/** Checks that each acknowledged action exists once with its full history, and no rejected one exists. */
export function checkReservationActions(accounts: AccountDatabases, history: WritersHistory): readonly Violation[] {
  const requestsByAccount = { acme: readRequests(accounts, "acme"), globex: readRequests(accounts, "globex") };
  return [
    ...[...history.reservationActions].flatMap(([key, move]) => checkAction(key, move, accounts, requestsByAccount)),
    ...(["acme", "globex"] as const).flatMap((account) => [
      ...checkHandOvers(account, accounts[account], history),
      ...checkOwnActions(account, accounts[account], history),
    ]),
  ];
}

// Checks that field work of the desk exists once for a requested action, with all payments made.
function checkHandOvers(account: AccountName, rows: Rows, history: WritersHistory): readonly Violation[] {
  const requestedActions = [...history.reservationActions.values()].filter(
    (officeAction) => officeAction.account === account && officeAction.state !== "refused",
  );
  const many = Map.groupBy(requestedActions, ({ id, action: move }) => `${id} ${move}`);
  return rows<{ name: string; done: number; charges: number; taken: number }>(
    `SELECT booking_id || iif(kind = 'delivery', ' deliver', ' collect') AS name, count(*) AS done,
        sum(json_array_length(operation, '$.charges')) AS charges,
        sum((SELECT count(*) FROM charges JOIN json_each(operation, '$.charges') ON charges.uid = value ->> 'chargeId')) AS taken
      FROM check_in_operations WHERE device_id = 'office' GROUP BY 1`,
  )
    .filter(({ name, done, charges, taken }) => done > (many.get(name)?.length ?? 0) || charges !== taken)
    .map((row) => ({ check: "no record is duplicated", detail: `${account} at the desk: ${JSON.stringify(row)}` }));
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
    const isSo = ownAction.action === "change" || item?.status === "cancelled";
    const detail = `${account} a customer's ${JSON.stringify(ownAction)}: ${JSON.stringify(item)}`;
    return isThere && isSo ? [] : [{ check: "all confirmed records exist", detail }];
  });
}

// Idempotency keys are stored per user.
function readRequests(accounts: AccountDatabases, account: AccountName): ReadonlyMap<string, string> {
  const rows = accounts[account]<{ key: string; resource: string }>(
    "SELECT substr(request_key, instr(request_key, ':') + 1) AS key, resource FROM office_requests",
  );
  return new Map(rows.map(({ key, resource }) => [key, resource]));
}

function checkAction(
  key: string,
  move: OfficeActionRecord,
  accounts: AccountDatabases,
  requestsByAccount: Readonly<Record<AccountName, ReadonlyMap<string, string>>>,
): readonly Violation[] {
  const resource = requestsByAccount[move.account].get(key);
  const detail = `${move.account} ${move.action} ${key} was ${move.state}, of reservation ${move.id}`;
  if (requestsByAccount[move.account === "acme" ? "globex" : "acme"].has(key))
    return [{ check: "nothing of one account is in another", detail }];
  if (move.state === "refused")
    return resource === undefined ? [] : [{ check: "nothing is there that was refused", detail }];
  if (move.state === "asked") return [];
  if (resource !== String(move.id)) return [{ check: "all confirmed records exist", detail }];
  const [booking] = accounts[move.account]<{ version: number; entries: number }>(
    "SELECT version, (SELECT count(*) FROM booking_history WHERE booking_id = bookings.id) AS entries FROM bookings WHERE id = ?",
    move.id ?? 0,
  );
  const isThere = booking !== undefined && booking.version >= (move.version ?? 0) && booking.entries >= booking.version;
  return isThere ? [] : [{ check: "all confirmed records exist", detail: `${detail}: ${JSON.stringify(booking)}` }];
}
