import { formatMoney } from "../account.ts";
import type { ListSearchState } from "./search.tsx";

/** Label and decimal amount of a total. */
export type ListTotal = readonly [label: string, amount: string];

/** Totals of a list. */
export function ListTotals({ totals }: { readonly totals: readonly ListTotal[] }) {
  return (
    <dl class="totals">
      {totals.map(([label, amount]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd class="number">{formatMoney(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface LoadedTotalsProps<Row> {
  readonly search: ListSearchState<Row>;
  readonly toTotals: (rows: readonly Row[]) => readonly ListTotal[];
}

/** Totals of a list that the server doesn't sum, because it may be long. Shown once all its pages are loaded. */
export function LoadedTotals<Row>({ search: { result }, toTotals }: LoadedTotalsProps<Row>) {
  if (!result || result.rows.length === 0 || result.next !== null) return null;
  return <ListTotals totals={toTotals(result.rows)} />;
}
