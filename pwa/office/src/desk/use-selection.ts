import { useState } from "preact/hooks";
import type { BulkActionsProps } from "./bulk-part.tsx";
import type { RowSelection } from "./rows.tsx";

/** Selection of a list's rows by check boxes. */
export function useSelection<Row>(keyOf: (row: Row) => string | number, onDone: () => void) {
  const [chosen, setChosen] = useState<ReadonlySet<string | number>>(new Set());
  const selection: RowSelection = { chosen, onChange: setChosen };
  const bulk = (rows: readonly Row[]): BulkActionsProps<Row> => ({
    rows: rows.filter((row) => chosen.has(keyOf(row))),
    onDone,
    onAll: () => setChosen(new Set(rows.map(keyOf))),
    onClear: () => setChosen(new Set()),
  });
  return { selection, bulk, isSelecting: chosen.size > 0 };
}
