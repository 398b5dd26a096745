import type { AccountName } from "#tools/platform/client.ts";
import type { ChaosWriter, WriterContext } from "./context.ts";
import { sendToOffice, sendWithIdempotencyKey } from "./office-requests.ts";
import { expectRows, recordExpectation } from "./record-expectations.ts";

/**
 * Condition for the record of a correction. A request reads its time at the start. While it is tried again, later
 * requests extend the chain, and a record is never older than the previous one, so it may be younger than its
 * correction by as long as a request can take under load.
 */
const DOCUMENT_CREATED_SQL = `document_id = detail ->> 'document' AND generated_at BETWEEN at AND at + 60000
  AND kind = CASE detail ->> 'taxRecord' WHEN 'annul' THEN 'annulment' ELSE 'registration' END`;
/** Corrections in the contract's history, with and without their records. */
const CORRECTED = `SELECT 1 FROM booking_history WHERE detail ->> 'reason' = ? AND EXISTS (SELECT 1 FROM tax_records WHERE ${DOCUMENT_CREATED_SQL})`;
const HALF_CORRECTED = `SELECT 1 FROM booking_history WHERE detail ->> 'reason' = ? AND NOT EXISTS (SELECT 1 FROM tax_records WHERE ${DOCUMENT_CREATED_SQL})`;

/** Creates a user who corrects tax records, and sometimes annuls one. */
export function createTaxRecordsWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const { random, accountData } = context;
    const id = random.pick(accountData[account].invoices);
    const correction = random.chance(0.85) ? "amend" : "annul";
    const reason = `chaos ${random.hex(12)}`;
    const path = `/documents/${id}/verifactu/${correction}`;
    const write = { account, method: "POST", path, body: { reason }, kind: "tax-records", id: String(id) } as const;
    expectRows(context, `${reason}, by halves`, { account, sql: HALF_CORRECTED, values: [reason] }, 0);
    const corrected = { account, sql: CORRECTED, values: [reason], before: 0, after: 1 };
    // Pending or annulled records can't be corrected.
    await recordExpectation(context, `${correction} of document ${id}, ${reason}`, corrected, () =>
      sendWithIdempotencyKey(context, write),
    );
  };
}

const STREET = `SELECT 1 FROM bookings WHERE id = ? AND contract_data ->> 'customer_address_street' = ?`;
const STREETS = `SELECT 1 FROM bookings WHERE id = ? AND contract_data ->> 'customer_address_street' IN (?, ?)`;
const FETCHED = "SELECT 1 FROM ministry_report_lists WHERE name <> 'tried' AND fetched_at >= ? LIMIT 1";
/** Sent again: no longer rejected, or rejected again since. */
const REPORT_RETRIED_SQL = "SELECT 1 FROM ministry_reports WHERE id = ? AND (state <> 'refused' OR answered_at >= ?)";

/** Creates a user who handles reports to the ministry: missing data, rejections and code lists. */
export function createMinistryReportsWriter(account: AccountName): ChaosWriter {
  const streets = new Map<number, string>();
  return async (context) => {
    await context.random.pickWeighted<() => Promise<void>>([
      [() => complete(context, account, streets), 5],
      [() => sendAgain(context, account), 4],
      [() => refreshLists(context, account), 1],
    ])();
  };
}

async function complete(context: WriterContext, account: AccountName, streets: Map<number, string>): Promise<void> {
  const { random, accountData } = context;
  const id = random.pick(accountData[account].contracts);
  const { reservation } = await sendToOffice(context, { account, method: "GET", path: `/reservations/${id}` });
  const street = `Chaos ${random.hex(12)}`;
  const before = streets.get(id);
  const name = `street of ${id}`;
  const values = [id, before ?? "", street];
  if (before !== undefined) expectRows(context, name, { account, sql: STREETS, values }, 1);
  const body = { expected_version: reservation.version, "customer_address[street]": street };
  const path = `/reservations/${id}/ses`;
  const retryResult = await sendWithIdempotencyKey(context, {
    account,
    method: "PATCH",
    path,
    body,
    kind: "ministry reports",
    id: String(id),
  });
  // Another user has changed the contract, or it has ended.
  if (retryResult === undefined && before === undefined) return;
  if (retryResult !== undefined) streets.set(id, street);
  expectRows(context, name, { account, sql: STREET, values: [id, streets.get(id) ?? ""] }, 1);
}

async function sendAgain(context: WriterContext, account: AccountName): Promise<void> {
  const path = "/ministry-reports?state=refused&page_size=50";
  const { data } = await sendToOffice(context, { account, method: "GET", path });
  if (data.length === 0) return;
  const { id, error } = context.random.pick(data as readonly { readonly id: number; readonly error: string }[]);
  const since = Date.now();
  const retryPath = error === "to_annul_by_hand" ? "annulled" : "again";
  const again = {
    account,
    method: "POST",
    path: `/ministry-reports/${id}/${retryPath}`,
    kind: "ministry reports",
  } as const;
  const retryResult = await sendWithIdempotencyKey(context, again);
  if (retryResult)
    expectRows(context, `ministry report ${id}`, { account, sql: REPORT_RETRIED_SQL, values: [id, since] }, 1);
}

async function refreshLists(context: WriterContext, account: AccountName): Promise<void> {
  const since = Date.now();
  const path = "/ministry-reports/lists/refresh";
  const { failed } = await sendToOffice(context, { account, method: "POST", path });
  if (failed.length > 0) return;
  expectRows(context, `lists of ${since}`, { account, sql: FETCHED, values: [since] }, 1);
}
