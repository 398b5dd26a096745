import { useState } from "preact/hooks";
import type { OfficeResponse } from "../api.ts";
import { t } from "../texts.ts";
import { toRefusalTexts } from "./refusals.ts";

/** Result of an action for one row of a list. */
export interface RowResult {
  readonly id: string | number;
  readonly name: string;
  /** Address of the row's page, if it has one. */
  readonly href?: string | undefined;
  readonly isDone: boolean;
  readonly text: string;
}

/** Name of a row in the results. */
export type RowName = Omit<RowResult, "isDone" | "text">;

/** Whether the action succeeded for a row, and the text about it. */
export type RowOutcome = Pick<RowResult, "isDone" | "text">;

/** Runs an action for each row, one after another, and reports each result as soon as it is known. */
export async function runForEach<Row>(
  rows: readonly Row[],
  nameRow: (row: Row) => RowName,
  run: (row: Row) => Promise<RowOutcome>,
  onResult: (result: RowResult) => void,
): Promise<void> {
  for (const row of rows) {
    const outcome = await run(row).catch((): RowOutcome => ({ isDone: false, text: t("notSent") }));
    onResult({ ...nameRow(row), ...outcome });
  }
}

/** Returns why an answer failed, in one sentence. */
export function describeRefusal(answer: OfficeResponse): RowOutcome {
  const { fields, notice } = toRefusalTexts(answer);
  return { isDone: false, text: [notice, ...Object.values(fields)].filter(Boolean).join(" ") };
}

/** Returns the outcome of an answer, with a text if it succeeded. */
export const toRowOutcome = (answer: OfficeResponse, text: string): RowOutcome =>
  answer.status < 300 ? { isDone: true, text } : describeRefusal(answer);

/** Answer of a form that has started an action for each row. Each row shows its own result. */
export const BULK_ACTION_STARTED_RESPONSE: OfficeResponse = { status: 200, body: {} };

interface BulkOptions<Row> {
  readonly rows: readonly Row[];
  readonly nameRow: (row: Row) => RowName;
  /** Called after an action ran for all rows, with the ids of those that failed. */
  readonly onDone: (failed: readonly (string | number)[]) => void;
}

/** State of the actions for selected rows, with the result of each. */
export function useBulkAction<Row>({ rows, nameRow, onDone }: BulkOptions<Row>) {
  const [results, setResults] = useState<readonly RowResult[]>([]);
  const [isBusy, setBusy] = useState(false);
  const start = async (run: (row: Row) => Promise<RowOutcome>, whenDone = onDone) => {
    setBusy(true);
    setResults([]);
    const failed: (string | number)[] = [];
    await runForEach(rows, nameRow, run, (result) => {
      if (!result.isDone) failed.push(result.id);
      setResults((before) => [...before, result]);
    });
    setBusy(false);
    whenDone(failed);
  };
  return { results, isBusy, start };
}
