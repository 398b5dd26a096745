import { useState } from "preact/hooks";
import { urlQuery } from "../route.ts";
import type { BulkActionsProps } from "./bulk-part.tsx";
import { chosenBranchCode } from "./chosen-branch.ts";
import type { RowSelection } from "./rows.tsx";

type Keys = ReadonlySet<string | number>;

interface Selection {
  readonly list: string;
  readonly chosen: Keys;
}

/** Selection of a list's rows by check boxes. */
export function useRowSelection<Row>(keyOf: (row: Row) => string | number, onDone: () => void) {
  const [state, setState] = useState<Selection>();
  // Other filters may hide selected rows, so a selection ends with its list.
  const list = `${chosenBranchCode.value} ${urlQuery.value}`;
  const current = state?.list === list ? state : undefined;
  const chosen: Keys = current?.chosen ?? new Set();
  const setChosen = (keys: Keys) => setState({ list, chosen: keys });
  const selection: RowSelection = { chosen, onChange: setChosen };
  const bulk = (rows: readonly Row[]): BulkActionsProps<Row> => ({
    rows: rows.filter((row) => chosen.has(keyOf(row))),
    onDone: (failed) => {
      setChosen(new Set(failed));
      onDone();
    },
    onAll: () => setChosen(new Set(rows.map(keyOf))),
    onClear: () => setState(undefined),
  });
  return { selection, bulk, isSelecting: current !== undefined };
}
