import { useState } from "preact/hooks";
import type { MessageRequest } from "#worker/api/office/message-messages.ts";
import { may } from "../../account.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import type { Listed } from "../../desk/reservation.ts";
import { TableFile } from "../../desk/table-file.tsx";
import { linkTo, linkWith } from "../../route.ts";
import { t } from "../../texts.ts";
import { assignFreeVehicles, type RowResult, runForEach, sendMessage } from "./bulk-actions.ts";
import { createMessageFields } from "./message-fields.ts";

interface BulkProps {
  readonly rows: readonly Listed[];
  /** Called after the reservations changed. */
  readonly onDone: () => void;
  readonly onClear: () => void;
  /** Selects all reservations of the page. */
  readonly onAll: () => void;
}

/** Actions for the selected reservations, with the result of each. */
export default function Bulk({ rows, onDone, onClear, onAll }: BulkProps) {
  const [results, setResults] = useState<readonly RowResult[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [isWriting, setWriting] = useState(false);
  const start = async (run: Parameters<typeof runForEach>[1]) => {
    setBusy(true);
    setResults([]);
    await runForEach(rows, run, (result) => setResults((before) => [...before, result]));
    setBusy(false);
    onDone();
  };
  const ids = rows.map(({ id }) => id).join(",");
  const payers = [...new Set(rows.map(({ customer_id: customer }) => customer))];
  return (
    <section class="bulk" aria-label={t("selectedCount", { n: rows.length })}>
      <div class="moves">
        <strong>{t("selectedCount", { n: rows.length })}</strong>
        {may("sell") && (
          <button type="button" class="small" disabled={isBusy} onClick={() => void start(assignFreeVehicles)}>
            {t("bulkAssign")}
          </button>
        )}
        {may("hand_over") && (
          <button type="button" class="small" disabled={isBusy} onClick={() => setWriting(true)}>
            {t("writeMessage")}
          </button>
        )}
        {may("sell") && payers.length === 1 && payers[0] != null && (
          <a class="button small" href={linkWith({ customer_id: payers[0], ids }, "money", "collectiveInvoice")}>
            {t("collectiveInvoice")}
          </a>
        )}
        <TableFile path="/reservations" names={[]} also={{ ids }} />
        <button type="button" class="small quiet" disabled={isBusy} onClick={onAll}>
          {t("selectPage")}
        </button>
        <button type="button" class="small quiet" disabled={isBusy} onClick={onClear}>
          {t("clearSelection")}
        </button>
      </div>
      {payers.length > 1 && <p class="soft">{t("bulkOnePayer")}</p>}
      <Results of={results} total={rows.length} isBusy={isBusy} />
      {isWriting && (
        <FormSheet<object, MessageRequest>
          title={`${t("writeMessage")} · ${t("selectedCount", { n: rows.length })}`}
          draft={["message", "selection"]}
          fields={createMessageFields()}
          submit={t("writeMessage")}
          send={async (body) => {
            setWriting(false);
            await start((row) => sendMessage(row, body));
            return { status: 200, body: {} };
          }}
          onDone={() => undefined}
          onClose={() => setWriting(false)}
        />
      )}
    </section>
  );
}

interface ResultsProps {
  readonly of: readonly RowResult[];
  readonly total: number;
  readonly isBusy: boolean;
}

/** Result of each reservation, failed ones first. */
function Results({ of, total, isBusy }: ResultsProps) {
  const failed = of.filter(({ isDone }) => !isDone);
  return (
    <div role="status">
      {isBusy && <p>{t("bulkProgress", { n: of.length, total })}</p>}
      {!isBusy && of.length > 0 && (
        <p class={failed.length > 0 ? "notice refused" : "notice done"}>
          {t("bulkResult", { done: of.length - failed.length, failed: failed.length })}
        </p>
      )}
      <ul class="plain bulk-results">
        {[...failed, ...of.filter(({ isDone }) => isDone)].map(({ id, name, isDone, text }) => (
          <li key={id} class={isDone ? "" : "problem"}>
            <a href={linkTo("reservations", id)}>{t("reservationNo", { id })}</a> {name} · {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
