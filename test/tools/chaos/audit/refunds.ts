import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import type { MoneyRequestRecord, WritersHistory } from "../history.ts";
import type { Violation } from "./violation.ts";

/** A refund decided by a user, with the money refunded for it. */
interface Decided {
  readonly id: number;
  readonly state: string;
  readonly cents: number;
  /** Number and sum of its manual charges. */
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
const STATES: Readonly<Partial<Record<MoneyRequestRecord["what"], string>>> = {
  approve: "approved",
  decline: "declined",
  "by-hand": "by_hand",
  drop: "dropped",
};

/**
 * Checks that each acknowledged decision about a refund is applied and no other was made. Approved and manual refunds
 * were paid exactly once. Declined, dropped and pending ones weren't.
 */
export function checkRefundDecisions(account: AccountName, rows: Rows, history: WritersHistory): readonly Violation[] {
  const works = [...history.money.values()].filter((moneyWork) => moneyWork.account === account);
  const [ofRequests, ofGateways] = [
    ["approve", "decline"],
    ["by-hand", "drop"],
  ] as const;
  return [
    ...rows<Decided>(REQUESTS_SQL).flatMap((row) => [
      ...checkPaid(`${account} refund request`, row, row.state === "approved"),
      ...checkDecision(`${account} refund request`, row, works.filter(isOn(row.id, ofRequests))),
    ]),
    ...rows<Decided>(AT_GATEWAYS).flatMap((row) => [
      ...checkPaid(`${account} refund at a gateway`, row, row.state === "by_hand"),
      ...checkDecision(`${account} refund at a gateway`, row, works.filter(isOn(row.id, ofGateways))),
    ]),
  ];
}

function isOn(id: number, whats: readonly MoneyRequestRecord["what"][]) {
  return ({ refundId, what }: MoneyRequestRecord) => refundId === id && whats.includes(what);
}

function checkPaid(subject: string, decided: Decided, isPaid: boolean): readonly Violation[] {
  const detail = `${subject} ${JSON.stringify(decided)}`;
  const paidCents = decided.charged + decided.asked;
  if (!isPaid) return paidCents === 0 ? [] : [{ check: "no record is unexpected", detail }];
  if (decided.charges > 1 || paidCents > decided.cents) return [{ check: "no record is duplicated", detail }];
  return paidCents < decided.cents ? [{ check: "all confirmed records exist", detail }] : [];
}

function checkDecision(subject: string, decided: Decided, works: readonly MoneyRequestRecord[]): readonly Violation[] {
  const listDecisions = (state: MoneyRequestRecord["state"]) =>
    works.filter((work) => work.state === state).map((work) => work.what);
  const detail = `${subject} ${JSON.stringify(decided)}: ${JSON.stringify(works)}`;
  const unappliedDecisions = listDecisions("done").filter((decision) => STATES[decision] !== decided.state);
  const possible = [...listDecisions("done"), ...listDecisions("asked")].map((decision) => STATES[decision]);
  const isDecided = Object.values(STATES).includes(decided.state);
  return [
    ...(unappliedDecisions.length > 0 ? [{ check: "all confirmed records exist", detail }] : []),
    ...(isDecided && !possible.includes(decided.state) ? [{ check: "no record is unexpected", detail }] : []),
  ];
}
