import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import { type LastBookingIds, readLastBookingIds } from "./audit/bookings.ts";
import { findInitialViolations } from "./audit/invariants.ts";
import type { OfficeActionRecord } from "./history.ts";
import { openStoppedState } from "./stopped-state.ts";
import type { AccountData, WriterContext } from "./writers/context.ts";

/** State before the first writer started. */
export interface InitialAccountState {
  readonly baseline: LastBookingIds;
  readonly broken: Readonly<Record<AccountName, ReadonlySet<string>>>;
}

/** Reads the data and offers of both accounts before the first write. */
export function readBaseline(stateDir: string): InitialAccountState & Pick<WriterContext, "accountData"> {
  const state = openStoppedState(stateDir);
  try {
    const { acme, globex } = state.accounts;
    return {
      baseline: readLastBookingIds(state.accounts),
      broken: { acme: findInitialViolations(acme), globex: findInitialViolations(globex) },
      accountData: { acme: createAccountData(acme), globex: createAccountData(globex) },
    };
  } finally {
    state.close();
  }
}

function createAccountData(rows: Rows): AccountData {
  const column = <T>(sql: string) => rows<{ readonly value: T }>(sql).map(({ value }) => value);
  return {
    codes: column("SELECT code AS value FROM categories WHERE web_public = 1 ORDER BY code"),
    places: column(
      "SELECT id AS value FROM pickup_places WHERE is_pickup = 1 AND is_return = 1 AND web_public = 1 ORDER BY id",
    ),
    branchOf: new Map(
      rows<{ readonly id: number; readonly branch: string }>("SELECT id, branch_code AS branch FROM pickup_places").map(
        ({ id, branch }) => [id, branch],
      ),
    ),
    branches: column("SELECT code AS value FROM branches ORDER BY code"),
    extras: column("SELECT code AS value FROM extras ORDER BY code"),
    bonds: column(
      "SELECT id AS value FROM documents WHERE kind = 'internal_bond' AND invoice_status = 'invoice' ORDER BY id DESC LIMIT 30",
    ),
    contracts: column(`SELECT id AS value FROM bookings WHERE kind = 'rental' AND status IN ('confirmed', 'in_progress')
      AND total_cents - total_paid_cents - agent_commission_prepaid_cents > 25000 ORDER BY date_from LIMIT 60`),
    invoices: column(
      "SELECT id AS value FROM documents WHERE kind = 'invoice' AND invoice_status = 'invoice' AND booking_id IS NOT NULL ORDER BY id DESC LIMIT 60",
    ),
  };
}

/** Lists the authors of changes that caused office rejections, from the reservations' histories. */
export function listChangedReservations(stateDir: string, refused: readonly OfficeActionRecord[]): readonly string[] {
  const state = openStoppedState(stateDir);
  try {
    return refused.map(({ account, action: move, id = 0, version }) => {
      const sql =
        "SELECT group_concat(event || ' by ' || actor, ', ') AS steps FROM booking_history WHERE booking_id = ?";
      const [item] = state.accounts[account]<{ readonly steps: string }>(sql, id);
      return `${move} of ${account} ${id} at version ${version}: ${item?.steps}`;
    });
  } finally {
    state.close();
  }
}

/** Counts the scheduled jobs executed since then. */
export function countScheduledWork(
  stateDir: string,
  { baseline }: InitialAccountState,
): Readonly<Record<string, number>> {
  const state = openStoppedState(stateDir);
  try {
    const count = (sql: string, account: AccountName) =>
      state.accounts[account]<{ readonly many: number }>(sql, baseline.lastBooking[account])[0]?.many ?? 0;
    const ended = "SELECT count(*) AS many FROM booking_history WHERE booking_id > ? AND event = 'expired'";
    const late = "SELECT count(*) AS many FROM bookings WHERE id > ? AND paid_after_expiry = 1";
    return {
      "holds ended unpaid": count(ended, "acme") + count(ended, "globex"),
      "paid too late": count(late, "acme"),
    };
  } finally {
    state.close();
  }
}
