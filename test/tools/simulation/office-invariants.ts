import { type BrokenInvariant, type Rows, reportIf } from "./broken-invariant.ts";
import type { History, RequestRecord } from "./history.ts";

const DAY = 24 * 3_600_000;
/** Request keys are stored for a month. */
const KEY_RETENTION_MS = 29 * DAY;
const DONE_ONCE_INVARIANT = "what the office was told is there and done once";

const EARNED = `SELECT bookings.id, status, item_cents AS price,
    agent_commission_total_cents AS earned, agent_commission_base_cents AS base, agent_commission_paid AS isSettled, agents.id AS agent,
    coalesce(commission_calculation, 'none') AS calculation, commission_fixed_cents AS fixed, commission_basis_points AS points
  FROM bookings LEFT JOIN agents ON agents.id = agent_id`;

interface CommissionRow {
  readonly id: number;
  readonly status: string;
  readonly price: number;
  readonly earned: number;
  readonly base: number;
  readonly isSettled: 0 | 1;
  readonly calculation: "none" | "percentage" | "fixed_amount";
  readonly fixed: number;
  readonly points: number;
}

// Calculated independently of the database's view. Agents' terms don't change in the simulation.
function getCommissionDue({ status, price, calculation, fixed, points }: CommissionRow): number {
  if (status === "cancelled" || calculation === "none") return 0;
  return calculation === "fixed_amount" ? fixed : Math.floor((price * points) / 10_000 + 0.5);
}

/** Finds commissions that don't match their terms and current price. */
export function findWrongCommissions(rows: Rows): readonly BrokenInvariant[] {
  return rows<CommissionRow>(EARNED).flatMap((row) => {
    const base = row.status === "cancelled" || row.calculation === "none" ? 0 : row.price;
    const isRight = row.isSettled === 1 || (row.earned === getCommissionDue(row) && row.base === base);
    return reportIf(!isRight, "a commission is what its terms say of its price", JSON.stringify(row));
  });
}

/** Compares results reported to office and app with the final state. */
export function findContradictedOfficeResponses(rows: Rows, history: History, now: number): readonly BrokenInvariant[] {
  return [
    ...requestedWrongly(rows, history, now),
    ...findFalseAmounts("charge", history.charges, amountsIn(rows, CHARGES)),
    ...findFalseAmounts("expense", history.expenses, amountsIn(rows, EXPENSES)),
    ...findFalseAmounts("surcharge", history.surcharges, amountsIn(rows, SURCHARGES)),
    ...settledWrongly(rows, history),
    ...findMisplacedVehicles(rows, history),
  ];
}

// Request keys are stored per user.
const KEYS = "SELECT substr(request_key, instr(request_key, ':') + 1) AS key FROM office_requests";

function requestedWrongly(rows: Rows, { office }: History, now: number): readonly BrokenInvariant[] {
  const storedKeys = new Set(rows<{ readonly key: string }>(KEYS).map(({ key }) => key));
  return [...office].flatMap(([key, { description, state, at }]) => {
    const isLost = state === "done" && !storedKeys.has(key) && now - at < KEY_RETENTION_MS;
    const isThere = state === "refused" && storedKeys.has(key);
    return reportIf(isLost || isThere, DONE_ONCE_INVARIANT, `${description} under ${key} was ${state}`);
  });
}

// A retained deposit has two charges: out of the deposit, and as payment.
const CHARGES =
  "SELECT uid AS name, amount_cents AS cents FROM charges WHERE uid IS NOT NULL AND NOT (deposit_kept = 1 AND virtual = 1)";
const EXPENSES =
  "SELECT reference AS name, total_without_taxes_cents AS cents FROM expenses WHERE reference LIKE 'PAPER-%'";
const SURCHARGES =
  "SELECT substr(extra_description, instr(extra_description, ': ') + 2) AS name, extra_cents AS cents FROM surcharges";

function amountsIn(rows: Rows, sql: string): ReadonlyMap<string, readonly number[]> {
  const amounts = new Map<string, number[]>();
  for (const { name, cents } of rows<{ readonly name: string; readonly cents: number }>(sql))
    amounts.set(name, [...(amounts.get(name) ?? []), cents]);
  return amounts;
}

function findFalseAmounts(
  kind: string,
  reportedAmounts: ReadonlyMap<string, RequestRecord & { readonly cents: number }>,
  storedKeys: ReadonlyMap<string, readonly number[]>,
): readonly BrokenInvariant[] {
  return [...reportedAmounts].flatMap(([name, { description, state, cents }]) => {
    const amounts = storedKeys.get(name) ?? [];
    const isStoredOnce = amounts.length === 1 && amounts[0] === cents;
    const isRight = state === "done" ? isStoredOnce : amounts.length === 0 || (state === "asked" && isStoredOnce);
    const evidence = `${kind} ${name} (${description}) of ${cents} was ${state}, is ${amounts}`;
    return reportIf(!isRight, DONE_ONCE_INVARIANT, evidence);
  });
}

const SETTLED =
  "SELECT id, agent_commission_total_cents AS cents FROM bookings WHERE agent_commission_paid = 1 AND agent_id IS NOT NULL";

function settledWrongly(rows: Rows, { settled }: History): readonly BrokenInvariant[] {
  const storedKeys = new Map(rows<{ id: number; cents: number }>(SETTLED).map(({ id, cents }) => [id, cents] as const));
  const ids = [...new Set([...settled.keys(), ...storedKeys.keys()])];
  return ids.flatMap((id) => {
    const isUnknown = settled.has(id) && settled.get(id) === undefined;
    const isRight = isUnknown || settled.get(id) === storedKeys.get(id);
    return reportIf(!isRight, "what is settled stays", `${id}: told ${settled.get(id)}, is ${storedKeys.get(id)}`);
  });
}

function findMisplacedVehicles(rows: Rows, { returned }: History): readonly BrokenInvariant[] {
  const sql = `SELECT reference, branch_code AS branch FROM vehicles WHERE NOT EXISTS (
    SELECT 1 FROM booking_units WHERE vehicle_reference = reference AND delivered_at IS NOT NULL AND collected_at IS NULL)`;
  return rows<{ readonly reference: string; readonly branch: string }>(sql).flatMap(({ reference, branch }) => {
    const reported = returned.get(reference)?.branch;
    const isElsewhere = reported !== undefined && reported !== branch;
    const evidence = `${reference}: told ${reported}, stands at ${branch}`;
    return reportIf(isElsewhere, "a vehicle stands where its last return said", evidence);
  });
}
