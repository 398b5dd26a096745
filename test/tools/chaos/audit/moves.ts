import type { AccountName } from "#tools/platform/client.ts";
import type { History, OfficeMove } from "../history.ts";
import type { Accounts, Violation } from "./violation.ts";

/** Every move that was acknowledged is there, once, with all of its history; none that was refused is. */
export function checkMoves(accounts: Accounts, history: History): readonly Violation[] {
  const left = { acme: requestsOf(accounts, "acme"), globex: requestsOf(accounts, "globex") };
  return [...history.moves].flatMap(([key, move]) => checkMove(key, move, accounts, left));
}

// A key is kept as the user's own.
function requestsOf(accounts: Accounts, account: AccountName): ReadonlyMap<string, string> {
  const rows = accounts[account]<{ key: string; resource: string }>(
    "SELECT substr(request_key, instr(request_key, ':') + 1) AS key, resource FROM office_requests",
  );
  return new Map(rows.map(({ key, resource }) => [key, resource]));
}

function checkMove(
  key: string,
  move: OfficeMove,
  accounts: Accounts,
  left: Readonly<Record<AccountName, ReadonlyMap<string, string>>>,
): readonly Violation[] {
  const resource = left[move.account].get(key);
  const detail = `${move.account} move ${key} was ${move.state}, of reservation ${move.id}`;
  if (left[move.account === "acme" ? "globex" : "acme"].has(key))
    return [{ check: "nothing of one account is in another", detail }];
  if (move.state === "refused")
    return resource === undefined ? [] : [{ check: "nothing is there that was refused", detail }];
  if (move.state === "asked") return [];
  if (resource !== String(move.id)) return [{ check: "everything acknowledged is there", detail }];
  const [booking] = accounts[move.account]<{ version: number; entries: number }>(
    "SELECT version, (SELECT count(*) FROM booking_history WHERE booking_id = bookings.id) AS entries FROM bookings WHERE id = ?",
    move.id ?? 0,
  );
  const isThere = booking !== undefined && booking.version >= (move.version ?? 0) && booking.entries >= booking.version;
  return isThere
    ? []
    : [{ check: "everything acknowledged is there", detail: `${detail}: ${JSON.stringify(booking)}` }];
}
