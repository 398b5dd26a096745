import type { ComponentType } from "preact";
import { loadLazily, type MissingProps } from "#shared/lazy.tsx";
import { t } from "../texts.ts";
import { LoadErrorMessage } from "./load-error.tsx";

/** Properties of the actions for selected rows. */
export interface BulkProps<Row> {
  readonly rows: readonly Row[];
  /** Called after the rows changed. */
  readonly onDone: () => void;
  readonly onClear: () => void;
  /** Selects all rows of the page. */
  readonly onAll: () => void;
}

const NotLoaded = ({ onRetry }: MissingProps) => <LoadErrorMessage problem={t("notLoaded")} onRetry={onRetry} />;

/** Creates the actions for selected rows, loaded with the first selection. */
export const bulkPart = <Row,>(load: () => Promise<{ readonly default: ComponentType<BulkProps<Row>> }>) =>
  loadLazily<BulkProps<Row>>(load, null, NotLoaded);
