import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import { type LastBookingIds, readLastBookingIds } from "./audit/bookings.ts";
import { findInitialViolations } from "./audit/invariants.ts";
import type { OfficeWrite } from "./history.ts";
import { useStoppedState } from "./stopped-state.ts";
import type { AccountData, WriterContext } from "./writers/actor.ts";

/** State before the first writer started. */
export interface InitialAccountState {
  readonly baseline: LastBookingIds;
  readonly broken: Readonly<Record<AccountName, ReadonlySet<string>>>;
}

/** Reads the data and offers of both accounts before the first write. */
export function readBaseline(stateDir: string): InitialAccountState & Pick<WriterContext, "accountData"> {
  return useStoppedState(stateDir, ({ accounts }) => ({
    baseline: readLastBookingIds(accounts),
    broken: { acme: findInitialViolations(accounts.acme), globex: findInitialViolations(accounts.globex) },
    accountData: { acme: createAccountData(accounts.acme), globex: createAccountData(accounts.globex) },
  }));
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
    branchGroups: column("SELECT id AS value FROM branch_groups ORDER BY id"),
    vehicles: column("SELECT reference AS value FROM vehicles ORDER BY reference LIMIT 20"),
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

/** Describes office actions with the steps in the reservation's history. */
export function describeRejections(stateDir: string, refused: readonly OfficeWrite[]): readonly string[] {
  const sql = "SELECT group_concat(event || ' by ' || actor, ', ') AS steps FROM booking_history WHERE booking_id = ?";
  return useStoppedState(stateDir, ({ accounts }) =>
    refused.map(({ account, operation, id = "" }) => {
      const [item] = accounts[account]<{ readonly steps: string }>(sql, Number(id));
      return `${operation} of ${account} ${id}: ${item?.steps}`;
    }),
  );
}

/** Counts the scheduled jobs executed since the baseline. */
export function countScheduledWork(
  stateDir: string,
  { baseline }: InitialAccountState,
): Readonly<Record<string, number>> {
  const ended = "SELECT count(*) AS many FROM booking_history WHERE booking_id > ? AND event = 'expired'";
  const late = "SELECT count(*) AS many FROM bookings WHERE id > ? AND paid_after_expiry = 1";
  return useStoppedState(stateDir, ({ accounts }) => {
    const count = (sql: string, account: AccountName) =>
      accounts[account]<{ readonly many: number }>(sql, baseline.lastBooking[account])[0]?.many ?? 0;
    return {
      "holds ended unpaid": count(ended, "acme") + count(ended, "globex"),
      "paid too late": count(late, "acme"),
    };
  });
}
