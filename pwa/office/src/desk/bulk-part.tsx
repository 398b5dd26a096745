import type { ComponentType } from "preact";
import { createLazyPart } from "./lazy-page.tsx";

/** Properties of the actions for selected rows. */
export interface BulkActionsProps<Row> {
  readonly rows: readonly Row[];
  /** Called after the rows changed, with the keys of the failed ones. Only these stay selected. */
  readonly onDone: (failed: readonly (string | number)[]) => void;
  readonly onClear: () => void;
  /** Selects all rows of the page. */
  readonly onAll: () => void;
}

/** Creates the actions for selected rows, loaded with the first selection. */
export const createLazyBulkActions = <Row,>(
  load: () => Promise<{ readonly default: ComponentType<BulkActionsProps<Row>> }>,
) => createLazyPart<BulkActionsProps<Row>>(load);
