import { useState } from "preact/hooks";
import type { CustomerMailRequest } from "#worker/api/office/message-messages.ts";
import { hasUserRight } from "../../account.ts";
import { BULK_ACTION_STARTED_RESPONSE, useBulkAction } from "../../desk/bulk-actions.ts";
import { BulkBar } from "../../desk/bulk-bar.tsx";
import type { BulkActionsProps } from "../../desk/bulk-part.tsx";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import type { ReservationListItem } from "../../desk/reservation.ts";
import { linkTo, linkToWithQuery } from "../../route.ts";
import { t } from "../../texts.ts";
import { assignFreeVehicles, sendReservationMessage } from "./bulk-actions.ts";
import { listMessageFields } from "./message-fields.ts";

const nameRow = ({ id, customer_fullname: name }: ReservationListItem) => ({
  id,
  name: `${t("reservationNo", { id })} ${name ?? ""}`,
  href: linkTo("reservations", id),
});

/** Actions for the selected reservations, with the result of each. */
export default function ReservationBulkActions({
  rows,
  onDone,
  onClear,
  onAll,
}: BulkActionsProps<ReservationListItem>) {
  const { results, isBusy, start } = useBulkAction({ rows, nameRow, onDone });
  const [isWriting, setWriting] = useState(false);
  const ids = rows.map(({ id }) => id).join(",");
  const payers = [...new Set(rows.map(({ billing_customer_id: payer, customer_id: customer }) => payer ?? customer))];
  return (
    <>
      <BulkBar
        {...{ isBusy, results, onAll, onClear }}
        count={rows.length}
        hint={payers.length > 1 ? t("bulkOnePayer") : undefined}
      >
        {hasUserRight("sell") && (
          <button type="button" class="small" disabled={isBusy} onClick={() => void start(assignFreeVehicles)}>
            {t("bulkAssign")}
          </button>
        )}
        {hasUserRight("hand_over") && (
          <button type="button" class="small" disabled={isBusy} onClick={() => setWriting(true)}>
            {t("writeMessage")}
          </button>
        )}
        {hasUserRight("sell") && payers.length === 1 && payers[0] != null && (
          <a class="button small" href={linkToWithQuery({ customer_id: payers[0], ids }, "money", "collectiveInvoice")}>
            {t("collectiveInvoice")}
          </a>
        )}
        <ListDownload path="/reservations" names={[]} also={{ ids }} />
      </BulkBar>
      {isWriting && (
        <FormSheet<object, CustomerMailRequest>
          title={`${t("writeMessage")} · ${t("selectedCount", { n: rows.length })}`}
          draft={["message", "selection"]}
          fields={listMessageFields()}
          submit={t("writeMessage")}
          send={async (body) => {
            void start((row) => sendReservationMessage(row, body));
            return BULK_ACTION_STARTED_RESPONSE;
          }}
          onDone={() => setWriting(false)}
          onClose={() => setWriting(false)}
        />
      )}
    </>
  );
}
