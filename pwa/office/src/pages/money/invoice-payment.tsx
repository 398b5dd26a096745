import { useState } from "preact/hooks";
import { PAYMENT_METHODS } from "#domain/payments/charges.ts";
import type { DocumentChargePreviewMessage, DocumentChargeRequest } from "#worker/api/office/document-messages.ts";
import { hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import type { FormField } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { MoneyPreview } from "../../desk/money-preview.tsx";
import { listPaymentLines } from "../../desk/preview-lines.ts";
import { t } from "../../texts.ts";
import type { ListedDocument } from "./money.ts";

interface PayProps {
  readonly document: ListedDocument;
  readonly name: string;
  readonly onDone: (notice: string) => void;
}

const listFields = (): readonly FormField<keyof DocumentChargeRequest>[] => [
  { name: "amount", kind: "money", required: true },
  {
    name: "payment_method_id",
    kind: "choice",
    label: "row.payment_method_id",
    required: true,
    choices: PAYMENT_METHODS.map((item) => [item, t(`method.${item}`)] as const),
  },
];

/** Records a payment of an unpaid invoice. */
export function InvoicePayment({ document, name, onDone }: PayProps) {
  const [isFormOpen, setFormOpen] = useState(false);
  const { id, document_kind: kind, invoice_status: status, payment_status: payment } = document;
  const isOpen = status === "invoice" && payment === "pending" && kind !== "credit_note";
  if (!isOpen || document.replaced_by_invoice_number !== null || !hasUserRight("sell")) return null;
  return (
    <>
      <button type="button" class="small" aria-label={`${t("payInvoice")}: ${name}`} onClick={() => setFormOpen(true)}>
        {t("payInvoice")}
      </button>
      {isFormOpen && (
        <FormSheet<object, DocumentChargeRequest>
          title={`${t("payInvoice")}: ${name}`}
          draft={["pay", String(id)]}
          fields={listFields()}
          begin={{ amount: document.total_pending, payment_method_id: "bank_transfer" }}
          submit={t("payInvoice")}
          outcome={({ amount }, onRefused) => (
            <MoneyPreview<DocumentChargePreviewMessage>
              path={`/documents/${id}/charges/quote`}
              amount={amount}
              toLines={listPaymentLines}
              onRefused={onRefused}
            />
          )}
          send={(body, key) =>
            sendOfficeRequest<object, DocumentChargeRequest>("POST", toOfficePath(`/documents/${id}/charges`), {
              body,
              key,
            })
          }
          onDone={() => {
            setFormOpen(false);
            onDone(`${name}: ${t("invoicePaid")}`);
          }}
          onClose={() => setFormOpen(false)}
        />
      )}
    </>
  );
}
