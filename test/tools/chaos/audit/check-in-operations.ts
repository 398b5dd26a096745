import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import type { WritersHistory } from "../history.ts";
import type { AccountDatabases, Violation } from "./violation.ts";

/** Checks that acknowledged field work, files, payments, contract data and ERP reports exist exactly once. */
export function checkCheckInOperations(accounts: AccountDatabases, history: WritersHistory): readonly Violation[] {
  const { acme } = accounts;
  return [
    ...checkOperations(acme, history),
    ...checkResolutions(acme, history),
    ...checkFiles(acme, history),
    ...checkPayments(accounts, history),
    ...checkRefunds(accounts, history),
    ...checkContractData(accounts, history),
    ...checkProcessed(accounts, history),
  ];
}

function createLossViolation(detail: string): Violation {
  return { check: "all confirmed records exist", detail };
}

function checkOperations(acme: Rows, history: WritersHistory): readonly Violation[] {
  const storedStates = new Map(
    acme<{ readonly op_id: string; readonly state: string }>("SELECT op_id, state FROM check_in_operations").map(
      (row) => [row.op_id, row.state],
    ),
  );
  return [...history.operations].flatMap(([opId, work]) => {
    if (work.state === "asked") return [];
    const state = storedStates.get(opId);
    const isResolved = work.state === "conflict" && history.resolutions.get(opId)?.state === state;
    if (state === undefined || (state !== work.state && work.state !== "held" && !isResolved))
      return [createLossViolation(`operation ${opId} was ${work.state}, and is ${state ?? "not there"}`)];
    if (work.state !== "applied") return [];
    const charges = work.charges.map((uid) => ({ uid, sql: "SELECT 1 FROM charges WHERE uid = ?" }));
    const damages = work.damages.map((uid) => ({ uid, sql: "SELECT 1 FROM vehicle_damages WHERE damage_id = ?" }));
    return [...charges, ...damages].flatMap(({ uid, sql }) => {
      const count = acme(sql, uid).length;
      if (count === 0) return [createLossViolation(`charge or damage ${uid} of ${opId}`)];
      return count > 1 ? [{ check: "no record is duplicated", detail: `charge or damage ${uid}: ${count}` }] : [];
    });
  });
}

function checkResolutions(acme: Rows, history: WritersHistory): readonly Violation[] {
  const sql = "SELECT 1 FROM check_in_operations WHERE op_id = ? AND state = ? AND resolved_at IS NOT NULL";
  return [...history.resolutions].flatMap(([opId, { state, isAcknowledged }]) =>
    isAcknowledged && acme(sql, opId, state).length !== 1
      ? [createLossViolation(`operation ${opId} is not ${state}`)]
      : [],
  );
}

function checkProcessed(accounts: AccountDatabases, history: WritersHistory): readonly Violation[] {
  const sql = "SELECT 1 FROM documents WHERE id = ? AND accounting_processed = 1";
  return [...history.processed].flatMap(([name, isAcknowledged]) => {
    const [account, id] = name.split("/") as [AccountName, string];
    return isAcknowledged && accounts[account](sql, Number(id)).length !== 1
      ? [createLossViolation(`document ${name}`)]
      : [];
  });
}

function checkFiles(acme: Rows, history: WritersHistory): readonly Violation[] {
  return [...history.files].flatMap(([name, isAcknowledged]) => {
    const [booking = "", hash = ""] = name.split("/");
    const sql = "SELECT 1 FROM check_in_files WHERE booking_id = ? AND hash = ?";
    return isAcknowledged && acme(sql, Number(booking), hash).length !== 1 ? [createLossViolation(`file ${name}`)] : [];
  });
}

function checkPayments(accounts: AccountDatabases, history: WritersHistory): readonly Violation[] {
  return [...history.payments].flatMap(([order, { account, cents, acknowledged }]) => {
    const rows = accounts[account];
    const sql = `SELECT charges.amount_cents FROM charges JOIN payment_intents AS intent ON intent.booking_id = charges.booking_id
      WHERE intent.order_reference = ? AND charges.payment_type = 'charge' AND charges.origin IS NOT NULL`;
    const received = "SELECT 1 FROM payment_notifications WHERE order_reference = ? AND kind = 'authorised'";
    const notices = rows(received, order).length;
    const chargeCount = rows<{ readonly amount_cents: number }>(sql, order).filter(
      (row) => row.amount_cents === cents,
    ).length;
    if (notices > 1 || chargeCount > 1)
      return [{ check: "no record is duplicated", detail: `payment ${order}: ${chargeCount} charges` }];
    return acknowledged && (notices === 0 || chargeCount === 0) ? [createLossViolation(`payment ${order}`)] : [];
  });
}

// Refunds notified before their payment wait for it.
function checkRefunds(accounts: AccountDatabases, history: WritersHistory): readonly Violation[] {
  return [...history.refunds].flatMap(([authCode, { account, order, cents, acknowledged }]) => {
    const rows = accounts[account];
    const isPaid = history.payments.get(order)?.acknowledged === true;
    // A refund is stored under its code, amount and the gateway's time.
    const received = `SELECT 1 FROM payment_notifications WHERE order_reference = ?1 AND amount_cents = ?3
      AND (auth_code IN (?2, ?2 || '#' || CAST(?3 AS INTEGER)) OR auth_code GLOB ?2 || '#' || CAST(?3 AS INTEGER) || '#*')`;
    const notices = rows(received, order, authCode, cents).length;
    const refundCount = rows(
      `SELECT 1 FROM charges JOIN payment_intents AS intent ON intent.booking_id = charges.booking_id AND intent.order_reference = ?
        WHERE charges.payment_type = 'payment' AND external_operation_number = ? AND charges.amount_cents = ? AND intent.refunded_cents >= charges.amount_cents`,
      order,
      authCode,
      cents,
    ).length;
    if (notices > 1 || refundCount > 1)
      return [{ check: "no record is duplicated", detail: `refund ${authCode}: ${refundCount} charges` }];
    return acknowledged && (notices === 0 || (isPaid && refundCount === 0))
      ? [createLossViolation(`refund ${authCode} of ${order}`)]
      : [];
  });
}

function checkContractData(accounts: AccountDatabases, history: WritersHistory): readonly Violation[] {
  return [...history.contractData].flatMap(([id, { account, requestedFlights, acknowledged }]) => {
    if (acknowledged === undefined) return [];
    const [row] = accounts[account]<{ readonly contract_data: string }>(
      "SELECT contract_data FROM bookings WHERE free_access_id = ?",
      id,
    );
    const isThere = [acknowledged, ...requestedFlights].some((flight) => row?.contract_data.includes(flight));
    return row && !isThere ? [createLossViolation(`contract data of ${id}: ${acknowledged}`)] : [];
  });
}
