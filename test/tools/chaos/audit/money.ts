import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import type { GatewayRefund } from "#tools/platform/redsys-server.ts";
import type { OfficeWrite, WritersHistory } from "../history.ts";
import {
  ACCOUNTS,
  type AccountDatabases,
  CONFIRMED_RECORDS_EXIST,
  DOUBLE,
  reportIf,
  UNREQUESTED,
  type Violation,
} from "./violation.ts";

/**
 * Checks that each requested refund exists once, was sent to the gateway once, and is booked if and only if the gateway
 * executed it.
 */
export function checkMoney(
  accounts: AccountDatabases,
  history: WritersHistory,
  gatewayBook: readonly GatewayRefund[],
): readonly Violation[] {
  return ACCOUNTS.flatMap((account) => [
    ...checkRequests(account, accounts[account], history),
    ...checkRefundDecisions(account, accounts[account], history),
    ...checkAtGateway(
      account,
      accounts[account],
      gatewayBook.filter((givenBack) => givenBack.account === account),
    ),
  ]);
}

function checkRequests(account: AccountName, rows: Rows, history: WritersHistory): readonly Violation[] {
  const refunds = [...history.officeWrites.values()].filter(
    (write) => write.account === account && write.operation === "refundReservation",
  );
  const [item] = rows<{ many: number }>(`SELECT (SELECT count(*) FROM charges WHERE uid LIKE 'refund:%')
    + (SELECT count(*) FROM (SELECT 1 FROM gateway_refunds WHERE request_id IS NULL AND reason = 'chaos' GROUP BY booking_id, requested_at))
    + (SELECT count(*) FROM refund_requests WHERE reason = 'chaos') AS many`);
  const many = item?.many ?? 0;
  const doneCount = refunds.filter(({ state }) => state === "done").length;
  const possible = refunds.filter(({ state }) => state !== "refused").length;
  const detail = `${account} has ${many} refunds of ${doneCount} to ${possible} that were asked for`;
  // Parts of one refund share a time, and two refunds may too.
  return many > possible
    ? reportIf(true, DOUBLE, detail)
    : reportIf(many < doneCount - sameMoments(rows), CONFIRMED_RECORDS_EXIST, detail);
}

function sameMoments(rows: Rows): number {
  const [item] = rows<{ many: number }>(
    "SELECT coalesce(sum(parts - 1), 0) AS many FROM (SELECT count(*) AS parts FROM gateway_refunds WHERE request_id IS NULL AND reason = 'chaos' GROUP BY booking_id, requested_at)",
  );
  return item?.many ?? 0;
}

interface RefundRow {
  readonly id: number;
  readonly state: string;
  readonly order: string;
  readonly cents: number;
  readonly booked: number;
}

function checkAtGateway(account: AccountName, rows: Rows, book: readonly GatewayRefund[]): readonly Violation[] {
  const requestedWork =
    rows<RefundRow>(`SELECT one.id, one.state, intent.order_reference AS "order", one.amount_cents AS cents,
      (SELECT count(*) FROM payment_notifications AS notice WHERE notice.intent_id = one.intent_id AND notice.outcome = 'refunded'
        AND notice.amount_cents = one.amount_cents AND notice.auth_code LIKE '%#refund-' || one.id) AS booked
    FROM gateway_refunds AS one JOIN payment_intents AS intent ON intent.id = one.intent_id`);
  const known = new Map(requestedWork.map((askedRefund) => [`refund-${askedRefund.id}`, askedRefund]));
  return [
    ...requestedWork.flatMap((askedRefund) => checkRequestedRefund(account, askedRefund, book)),
    ...book
      .filter(({ name, order, cents }) => known.get(name)?.order !== order || known.get(name)?.cents !== cents)
      .map((refund) => ({ check: UNREQUESTED, detail: `${account} the gateway gave back ${JSON.stringify(refund)}` })),
    ...checkSums(account, rows),
  ];
}

function checkRequestedRefund(
  account: AccountName,
  askedRefund: RefundRow,
  book: readonly GatewayRefund[],
): readonly Violation[] {
  const { id, state, booked } = askedRefund;
  const refund = book.filter(({ name }) => name === `refund-${id}`).length;
  const detail = `${account} ${JSON.stringify(askedRefund)}, given back ${refund} times`;
  if (refund > 1 || booked > 1) return reportIf(true, DOUBLE, detail);
  if (booked > refund || (state === "done") !== (booked === 1)) return reportIf(true, UNREQUESTED, detail);
  return reportIf(refund === 1 && state !== "done" && state !== "sent", CONFIRMED_RECORDS_EXIST, detail);
}

// Checks that the refunded amount of a payment equals the sum of the refunds that the gateway notified.
function checkSums(account: AccountName, rows: Rows): readonly Violation[] {
  return rows(`SELECT intent.order_reference, intent.refunded_cents, told.cents FROM payment_intents AS intent
      JOIN (SELECT intent_id, sum(amount_cents) AS cents FROM payment_notifications WHERE outcome = 'refunded' GROUP BY intent_id) AS told
        ON told.intent_id = intent.id WHERE intent.refunded_cents <> told.cents`).flatMap((row) =>
    reportIf(true, DOUBLE, { account, ...row }),
  );
}

/** A refund decided by a user, with the money refunded for it. */
interface Decided {
  readonly id: number;
  readonly state: string;
  readonly cents: number;
  /** Number and sum of the charges that record this refund, without those at gateways. */
  readonly charges: number;
  readonly charged: number;
  /** Amount requested from gateways. */
  readonly asked: number;
}

const buildChargesSql = (uid: string) => `(SELECT count(*) FROM charges WHERE uid = ${uid}) AS charges,
  (SELECT coalesce(sum(amount_cents), 0) FROM charges WHERE uid = ${uid}) AS charged`;
const REQUESTS_SQL = `SELECT id, state, amount_cents AS cents, ${buildChargesSql("'refund-request:' || one.id")},
  (SELECT coalesce(sum(amount_cents), 0) FROM gateway_refunds WHERE request_id = one.id) AS asked
  FROM refund_requests AS one WHERE reason = 'chaos'`;
const AT_GATEWAYS = `SELECT id, state, amount_cents AS cents, ${buildChargesSql("'gateway-refund:' || one.id")}, 0 AS asked FROM gateway_refunds AS one`;

/** State that only the given decision creates. */
const STATES: Readonly<Record<string, string>> = {
  approveRefund: "approved",
  declineRefund: "declined",
  refundByHand: "by_hand",
  dropGatewayRefund: "dropped",
};

/**
 * Checks that each acknowledged decision about a refund is applied and no other was made. Approved and manual refunds
 * were paid exactly once. Declined, dropped and pending ones weren't.
 */
export function checkRefundDecisions(account: AccountName, rows: Rows, history: WritersHistory): readonly Violation[] {
  const writes = [...history.officeWrites.values()].filter((write) => write.account === account);
  const check = (subject: string, row: Decided, paidState: string, operations: readonly string[]) => [
    ...checkPaid(subject, row, row.state === paidState),
    ...checkDecision(
      subject,
      row,
      writes.filter(({ refundId, operation }) => refundId === row.id && operations.includes(operation)),
    ),
  ];
  const requestDecisions = ["approveRefund", "declineRefund"];
  const gatewayDecisions = ["refundByHand", "dropGatewayRefund"];
  return [
    ...rows<Decided>(REQUESTS_SQL).flatMap((row) => check(`${account} request`, row, "approved", requestDecisions)),
    ...rows<Decided>(AT_GATEWAYS).flatMap((row) => check(`${account} gateway`, row, "by_hand", gatewayDecisions)),
  ];
}

function checkPaid(subject: string, decided: Decided, isPaid: boolean): readonly Violation[] {
  const detail = `${subject} ${JSON.stringify(decided)}`;
  const paidCents = decided.charged + decided.asked;
  if (!isPaid) return reportIf(paidCents !== 0, UNREQUESTED, detail);
  if (decided.charges > 1 || paidCents > decided.cents) return reportIf(true, DOUBLE, detail);
  return reportIf(paidCents < decided.cents, CONFIRMED_RECORDS_EXIST, detail);
}

function checkDecision(subject: string, decided: Decided, writes: readonly OfficeWrite[]): readonly Violation[] {
  const listStates = (...states: readonly OfficeWrite["state"][]) =>
    writes.filter(({ state }) => states.includes(state)).map(({ operation }) => STATES[operation]);
  const detail = `${subject} ${JSON.stringify(decided)}: ${JSON.stringify(writes)}`;
  const isDecided = Object.values(STATES).includes(decided.state);
  return [
    ...reportIf(
      listStates("done").some((state) => state !== decided.state),
      CONFIRMED_RECORDS_EXIST,
      detail,
    ),
    ...reportIf(isDecided && !listStates("done", "asked").includes(decided.state), UNREQUESTED, detail),
  ];
}
