import { useState } from "preact/hooks";
import type { CreditNoteCreationRequest, CreditNoteQuoteRequest } from "#worker/api/documents/messages.ts";
import { hasUserRight } from "../../account.ts";
import { sendOfficeRequest } from "../../api.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { createLazyPart } from "../../desk/lazy-page.tsx";
import { RowMenu } from "../../desk/row-menu.tsx";
import { t } from "../../texts.ts";
import { type CreditForm, listCreditFields, toCreditQuoteRequest, toCreditRequest } from "./credit-note-form.ts";
import { ElectronicInvoice } from "./e-invoice.tsx";
import { InvoiceExchange } from "./invoice-exchange.tsx";
import { IssueDraftButton } from "./issue-draft-button.tsx";
import { mailDocument } from "./mail-document.ts";
import type { ListedDocument } from "./money.ts";

const Preview = createLazyPart(() => import("./documents-preview.tsx"));
const Mails = createLazyPart(() => import("./document-mails.tsx"));

interface TakeBackProps {
  readonly of: ListedDocument;
  readonly name: string;
  readonly onDone: (notice: string) => void;
}

// The request key makes retries return the same credit note.
const credit = (id: number, key: string, body: CreditNoteQuoteRequest) =>
  sendOfficeRequest<object, CreditNoteCreationRequest>("POST", `/api/v1/documents/${id}/credit-note`, {
    body: { request_id: key, ...body },
  });

/**
 * Actions for a document: issue a draft, or credit an issued one. A simplified invoice may also be replaced by a full
 * one.
 */
export function DocumentActions({ of, name, onDone }: TakeBackProps) {
  const [isFormOpen, setFormOpen] = useState(false);
  const [areMailsOpen, setMailsOpen] = useState(false);
  const { id, document_kind: kind, invoice_status: status } = of;
  // A document of a reservation has its emails on the reservation's page, so this menu doesn't show them.
  const hasReservation = of.reference_source === "booking";
  const canCredit = status === "invoice" && kind !== "credit_note" && hasUserRight("give_away");
  if (of.replaced_by_invoice_number !== null)
    return <small>{t("replacedBy", { by: `${of.replaced_by_invoice_serie}/${of.replaced_by_invoice_number}` })}</small>;
  if (status === "draft") return <IssueDraftButton id={id} name={name} onDone={onDone} />;
  if (kind === "internal_bond" && !canCredit) return null;
  return (
    <>
      <RowMenu name={name}>
        {canCredit && (
          <button
            type="button"
            class="small"
            aria-label={`${t("creditDo")}: ${name}`}
            onClick={() => setFormOpen(true)}
          >
            {t("creditDo")}
          </button>
        )}
        {canCredit && kind === "simplified" && <InvoiceExchange of={of} onDone={onDone} />}
        <ElectronicInvoice of={of} />
        {hasUserRight("hand_over") && <MailButton id={id} name={name} onDone={onDone} />}
        {!hasReservation && (
          <button
            type="button"
            class="small"
            aria-label={`${t("documentMails")}: ${name}`}
            onClick={() => setMailsOpen(true)}
          >
            {t("documentMails")}
          </button>
        )}
      </RowMenu>
      {areMailsOpen && <Mails id={id} name={name} onClose={() => setMailsOpen(false)} />}
      {isFormOpen && (
        <FormSheet<object, CreditForm>
          title={t("creditOf", { of: name })}
          introduction={t("creditAbout")}
          draft={["credit", String(id)]}
          fields={(values) => listCreditFields(of, values)}
          begin={{ reason: "correction" }}
          outcome={(values) => {
            const body = toCreditQuoteRequest(of, values);
            return body && <Preview path={`/api/v1/documents/${id}/credit-note/quote`} body={body} />;
          }}
          submit={t("creditDo")}
          isDanger
          send={(form, key) => credit(id, key, toCreditRequest(form))}
          onDone={() => {
            setFormOpen(false);
            onDone(`${name}: ${t("creditDone")}`);
          }}
          onClose={() => setFormOpen(false)}
        />
      )}
    </>
  );
}

// Names the address that gets the mail, or why it is refused, in the notice of the list.
function MailButton({ id, name, onDone }: { readonly id: number } & Omit<TakeBackProps, "of">) {
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const { text } = await mailDocument({ id }).catch(() => ({ text: t("notSent") }));
    setBusy(false);
    onDone(`${name}: ${text}`);
  };
  return (
    <button type="button" class="small" disabled={isBusy} aria-label={`${t("mailDocument")}: ${name}`} onClick={send}>
      {t("mailDocument")}
    </button>
  );
}
