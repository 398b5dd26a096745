import { useState } from "preact/hooks";
import { PAYMENT_METHODS } from "#domain/payments/charges.ts";
import type { DocumentChargePreviewMessage, DocumentChargeRequest } from "#worker/api/office/document-messages.ts";
import type { DocumentWithMessagesMessage } from "#worker/api/office/money-messages.ts";
import { formatMoney, hasUserRight, isZeroAmount } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import type { FormField } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { MoneyPreview } from "../../desk/money-preview.tsx";
import { listPaymentLines } from "../../desk/preview-lines.ts";
import { useResource } from "../../desk/use-resource.tsx";
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
        <PaymentSheet
          id={id}
          name={name}
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

interface PaymentSheetProps {
  readonly id: number;
  readonly name: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

// Loads the invoice, because its row may be older than a credit note or a payment of another user.
function PaymentSheet({ id, name, onDone, onClose }: PaymentSheetProps) {
  const { whole, problem, retry } = useResource<DocumentWithMessagesMessage>(toOfficePath(`/documents/${id}`));
  const pending = whole?.document.total_pending;
  return (
    <FormSheet<object, DocumentChargeRequest>
      title={`${t("payInvoice")}: ${name}`}
      {...(pending !== undefined && { introduction: `${t("pending")}: ${formatMoney(pending)}` })}
      draft={["pay", String(id)]}
      fields={listFields()}
      begin={{
        amount: pending === undefined || isZeroAmount(pending) ? "" : pending,
        payment_method_id: "bank_transfer",
      }}
      submit={t("payInvoice")}
      canSubmit={pending !== undefined && !problem && Number(pending) > 0}
      note={<LoadErrorMessage problem={problem} onRetry={retry} />}
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
      onDone={onDone}
      onClose={onClose}
    />
  );
}
