import type { InvoiceRequest } from "#worker/api/documents/messages.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import type { FormField } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { createLazyPart } from "../../desk/lazy-page.tsx";
import type { Reservation } from "../../desk/reservation.ts";
import { parseTypedAmount } from "../../desk/typed-amount.ts";
import { t } from "../../texts.ts";

const Preview = createLazyPart(() => import("../money/documents-preview.tsx"));

type InvoiceForm = Omit<InvoiceRequest, "request_id">;

const ADVANCE: FormField<keyof InvoiceForm> = {
  name: "advance",
  kind: "money",
  label: "invoiceAdvance",
  hint: "invoiceAdvanceHint",
  isWide: true,
};

// The request key makes retries return the same document.
const invoice = (id: number, key: string, body: InvoiceForm) =>
  sendOfficeRequest<object, InvoiceRequest>("POST", `/api/v1/booking/${id}/documents`, {
    body: { request_id: key, ...body },
  });

interface InvoiceProps {
  readonly of: Reservation;
  readonly onDone: (notice: string) => void;
  readonly onClose: () => void;
}

/** Invoices an advance or the remaining amount. Transfers have no hand-over that would invoice them automatically. */
export function InvoiceSheet({ of, onDone, onClose }: InvoiceProps) {
  return (
    <FormSheet<object, InvoiceForm>
      title={`${t("invoiceDo")} · ${t("reservationNo", { id: of.id })}`}
      introduction={t("invoiceAbout")}
      draft={["invoice", String(of.id)]}
      fields={of.status === "cancelled" ? [] : [ADVANCE]}
      outcome={({ advance }) =>
        advance ? (
          <Preview
            path={`/api/v1/booking/${of.id}/documents/quote`}
            body={{ advance: parseTypedAmount(String(advance)) }}
          />
        ) : (
          <Preview path={toOfficePath(`/reservations/${of.id}/documents/quote`)} />
        )
      }
      submit={t("invoiceDo")}
      send={(body, key) => invoice(of.id, key, body)}
      onDone={() => onDone(t("invoiceDone"))}
      onClose={onClose}
    />
  );
}
