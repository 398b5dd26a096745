import type { Rows } from "#tools/platform/database-files.ts";
import type { WritersHistory } from "../history.ts";
import { type AccountDatabases, CONFIRMED_RECORDS_EXIST, DOUBLE, reportIf, type Violation } from "./violation.ts";

/** Checks that acknowledged field work, files, payments and refunds exist exactly once. */
export function checkCheckInOperations(accounts: AccountDatabases, history: WritersHistory): readonly Violation[] {
  const { acme } = accounts;
  return [
    ...checkOperations(acme, history),
    ...checkResolutions(acme, history),
    ...checkFiles(acme, history),
    ...checkPayments(accounts, history),
    ...checkRefunds(accounts, history),
  ];
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
      return reportIf(
        true,
        CONFIRMED_RECORDS_EXIST,
        `operation ${opId} was ${work.state}, and is ${state ?? "not there"}`,
      );
    if (work.state !== "applied") return [];
    const charges = work.charges.map((uid) => ({ uid, sql: "SELECT 1 FROM charges WHERE uid = ?" }));
    const damages = work.damages.map((uid) => ({ uid, sql: "SELECT 1 FROM vehicle_damages WHERE damage_id = ?" }));
    return [...charges, ...damages].flatMap(({ uid, sql }) => {
      const count = acme(sql, uid).length;
      return reportIf(
        count !== 1,
        count === 0 ? CONFIRMED_RECORDS_EXIST : DOUBLE,
        `charge or damage ${uid} of ${opId}: ${count}`,
      );
    });
  });
}

function checkResolutions(acme: Rows, history: WritersHistory): readonly Violation[] {
  const sql = "SELECT 1 FROM check_in_operations WHERE op_id = ? AND state = ? AND resolved_at IS NOT NULL";
  return [...history.resolutions].flatMap(([opId, { state, isAcknowledged }]) =>
    reportIf(
      isAcknowledged && acme(sql, opId, state).length !== 1,
      CONFIRMED_RECORDS_EXIST,
      `operation ${opId} is not ${state}`,
    ),
  );
}

function checkFiles(acme: Rows, history: WritersHistory): readonly Violation[] {
  const sql = "SELECT 1 FROM check_in_files WHERE booking_id = ? AND hash = ?";
  return [...history.files].flatMap(([name, isAcknowledged]) => {
    const [booking = "", hash = ""] = name.split("/");
    return reportIf(
      isAcknowledged && acme(sql, Number(booking), hash).length !== 1,
      CONFIRMED_RECORDS_EXIST,
      `file ${name}`,
    );
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
    const detail = `payment ${order}: ${notices} notices, ${chargeCount} charges`;
    if (notices > 1 || chargeCount > 1) return reportIf(true, DOUBLE, detail);
    return reportIf(acknowledged && (notices === 0 || chargeCount === 0), CONFIRMED_RECORDS_EXIST, detail);
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
    const detail = `refund ${authCode} of ${order}: ${notices} notices, ${refundCount} charges`;
    if (notices > 1 || refundCount > 1) return reportIf(true, DOUBLE, detail);
    return reportIf(acknowledged && (notices === 0 || (isPaid && refundCount === 0)), CONFIRMED_RECORDS_EXIST, detail);
  });
}
