import { type BrokenInvariant, type Rows, reportIf } from "./broken-invariant.ts";

const CASH = `SELECT id, branch_code AS branch, date, CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END AS cents
  FROM charges WHERE payment_method_id = 'cash' ORDER BY id`;
const CLOSINGS = `SELECT id, branch_code AS branch, opening_cents AS opening, moved_cents AS moved, counted_cents AS counted, difference_cents AS difference,
  taken_out_cents AS taken, last_charge_id AS last FROM cash_closings ORDER BY id`;

type Closing = Readonly<
  { branch: string } & Record<"id" | "opening" | "moved" | "counted" | "difference" | "taken" | "last", number>
>;

/**
 * Finds cash closings that don't equal the previous balance plus the charges since, each counted in exactly one
 * closing.
 */
export function findWrongDrawerCounts(rows: Rows): readonly BrokenInvariant[] {
  const cash = rows<{ readonly id: number; readonly branch: string; readonly cents: number }>(CASH);
  const before = new Map<string, Closing>();
  return rows<Closing>(CLOSINGS).flatMap((closing) => {
    const last = before.get(closing.branch);
    before.set(closing.branch, closing);
    // The first closing covers only its own day.
    if (!last) return [];
    const since = cash.filter(({ id, branch }) => branch === closing.branch && id > last.last && id <= closing.last);
    const movedCents = since.reduce((sum, { cents }) => sum + cents, 0);
    const opening = last.counted - last.taken;
    const difference = closing.counted - opening - movedCents;
    const isRight = closing.opening === opening && closing.moved === movedCents && closing.difference === difference;
    const evidence = JSON.stringify({ closing, reckoned: { opening, moved: movedCents, difference } });
    return reportIf(!isRight, "the cash of a drawer is the sum of its charges", evidence);
  });
}
