import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import type { GatewayRefund } from "#tools/platform/redsys-server.ts";
import type { WritersHistory } from "../history.ts";
import { checkRefundDecisions } from "./refunds.ts";
import type { AccountDatabases, Violation } from "./violation.ts";

const LOST = "all confirmed records exist";
const DOUBLE = "no record is duplicated";
const UNREQUESTED = "no record is unexpected";

/**
 * Checks that each requested refund exists once, was sent to the gateway once, and is booked if and only if the gateway
 * executed it.
 */
export function checkMoney(
  accounts: AccountDatabases,
  history: WritersHistory,
  gatewayBook: readonly GatewayRefund[],
): readonly Violation[] {
  return (["acme", "globex"] as const).flatMap((account) => [
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
  const recordedKeys = new Set(
    rows<{ key: string }>("SELECT substr(request_key, instr(request_key, ':') + 1) AS key FROM office_requests").map(
      ({ key }) => key,
    ),
  );
  const requestedWork = [...history.money].filter(([, work]) => work.account === account);
  const violations = requestedWork.flatMap(([key, { state, what }]): readonly Violation[] => {
    const detail = `${account} ${what} ${key} was ${state}`;
    if (state === "done" && !recordedKeys.has(key)) return [{ check: LOST, detail }];
    return state === "refused" && recordedKeys.has(key) ? [{ check: "nothing is there that was refused", detail }] : [];
  });
  const refunds = requestedWork.filter(([, { what }]) => what === "refund");
  const [item] = rows<{ many: number }>(`SELECT (SELECT count(*) FROM charges WHERE uid LIKE 'refund:%')
    + (SELECT count(*) FROM (SELECT 1 FROM gateway_refunds WHERE request_id IS NULL AND reason = 'chaos' GROUP BY booking_id, requested_at))
    + (SELECT count(*) FROM refund_requests WHERE reason = 'chaos') AS many`);
  const many = item?.many ?? 0;
  const doneCount = refunds.filter(([, { state }]) => state === "done").length;
  const possible = refunds.filter(([, { state }]) => state !== "refused").length;
  const detail = `${account} has ${many} refunds of ${doneCount} to ${possible} that were asked for`;
  // Parts of one refund share a time, and two refunds may too.
  if (many > possible) return [...violations, { check: DOUBLE, detail }];
  return many < doneCount - sameMoments(rows) ? [...violations, { check: LOST, detail }] : violations;
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
  const refund = book.filter(({ name }) => name === `refund-${askedRefund.id}`).length;
  const detail = `${account} ${JSON.stringify(askedRefund)}, given back ${refund} times`;
  if (refund > 1 || askedRefund.booked > 1) return [{ check: DOUBLE, detail }];
  if (askedRefund.booked > refund || (askedRefund.state === "done") !== (askedRefund.booked === 1))
    return [{ check: UNREQUESTED, detail }];
  return refund === 1 && askedRefund.state !== "done" && askedRefund.state !== "sent" ? [{ check: LOST, detail }] : [];
}

// Checks that the refunded amount of a payment equals the sum of the refunds that the gateway notified.
function checkSums(account: AccountName, rows: Rows): readonly Violation[] {
  return rows(`SELECT intent.order_reference, intent.refunded_cents, told.cents FROM payment_intents AS intent
      JOIN (SELECT intent_id, sum(amount_cents) AS cents FROM payment_notifications WHERE outcome = 'refunded' GROUP BY intent_id) AS told
        ON told.intent_id = intent.id WHERE intent.refunded_cents <> told.cents`).map((row) => ({
    check: DOUBLE,
    detail: `${account} ${JSON.stringify(row)}`,
  }));
}
