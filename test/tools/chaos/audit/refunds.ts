import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import type { History, MoneyWork } from "../history.ts";
import type { Violation } from "./violation.ts";

/** A refund that a person decides on, with the money that went back for it. */
interface Decided {
  readonly id: number;
  readonly state: string;
  readonly cents: number;
  /** Charges of it by hand, and what they come to. */
  readonly charges: number;
  readonly charged: number;
  /** What gateways were asked for. */
  readonly asked: number;
}

const chargesOf = (uid: string) => `(SELECT count(*) FROM charges WHERE uid = ${uid}) AS charges,
  (SELECT coalesce(sum(amount_cents), 0) FROM charges WHERE uid = ${uid}) AS charged`;
const REQUESTS = `SELECT id, state, amount_cents AS cents, ${chargesOf("'refund-request:' || one.id")},
  (SELECT coalesce(sum(amount_cents), 0) FROM gateway_refunds WHERE request_id = one.id) AS asked
  FROM refund_requests AS one WHERE reason = 'chaos'`;
const AT_GATEWAYS = `SELECT id, state, amount_cents AS cents, ${chargesOf("'gateway-refund:' || one.id")}, 0 AS asked FROM gateway_refunds AS one`;

/** By what a decision is called, the state that it leaves and that nothing else makes. */
const STATES: Readonly<Partial<Record<MoneyWork["what"], string>>> = {
  approve: "approved",
  decline: "declined",
  "by-hand": "by_hand",
  drop: "dropped",
};

/**
 * Each decision on a refund that was acknowledged stands, and no other was made; what was approved or given back by
 * hand went back once, to the cent; what was declined, dropped or waits did not.
 */
export function checkRefundDecisions(account: AccountName, rows: Rows, history: History): readonly Violation[] {
  const works = [...history.money.values()].filter((one) => one.account === account);
  const [ofRequests, ofGateways] = [
    ["approve", "decline"],
    ["by-hand", "drop"],
  ] as const;
  return [
    ...rows<Decided>(REQUESTS).flatMap((one) => [
      ...checkPaid(`${account} refund request`, one, one.state === "approved"),
      ...checkSaid(`${account} refund request`, one, works.filter(isOn(one.id, ofRequests))),
    ]),
    ...rows<Decided>(AT_GATEWAYS).flatMap((one) => [
      ...checkPaid(`${account} refund at a gateway`, one, one.state === "by_hand"),
      ...checkSaid(`${account} refund at a gateway`, one, works.filter(isOn(one.id, ofGateways))),
    ]),
  ];
}

function isOn(id: number, whats: readonly MoneyWork["what"][]) {
  return ({ refundId, what }: MoneyWork) => refundId === id && whats.includes(what);
}

function checkPaid(what: string, one: Decided, isGiven: boolean): readonly Violation[] {
  const detail = `${what} ${JSON.stringify(one)}`;
  const gone = one.charged + one.asked;
  if (!isGiven) return gone === 0 ? [] : [{ check: "nothing is there that nobody asked for", detail }];
  if (one.charges > 1 || gone > one.cents) return [{ check: "nothing is double", detail }];
  return gone < one.cents ? [{ check: "everything acknowledged is there", detail }] : [];
}

function checkSaid(what: string, one: Decided, works: readonly MoneyWork[]): readonly Violation[] {
  const said = (state: MoneyWork["state"]) => works.filter((work) => work.state === state).map((work) => work.what);
  const detail = `${what} ${JSON.stringify(one)}: ${JSON.stringify(works)}`;
  const lost = said("done").filter((decision) => STATES[decision] !== one.state);
  const possible = [...said("done"), ...said("asked")].map((decision) => STATES[decision]);
  const isDecided = Object.values(STATES).includes(one.state);
  return [
    ...(lost.length > 0 ? [{ check: "everything acknowledged is there", detail }] : []),
    ...(isDecided && !possible.includes(one.state)
      ? [{ check: "nothing is there that nobody asked for", detail }]
      : []),
  ];
}
