import { useState } from "preact/hooks";
import { formatDay, formatMoney } from "../../account.ts";
import { fetchFile, toOfficePath } from "../../api.ts";
import type { Reservation, ReservationDocument } from "../../desk/reservation.ts";
import { RowMenu } from "../../desk/row-menu.tsx";
import { t } from "../../texts.ts";
import { ElectronicInvoice } from "../money/e-invoice.tsx";
import { IntegrationErrorNotice } from "../money/integration-error.tsx";
import { IssueDraftButton } from "../money/issue-draft-button.tsx";
import { canInvoice, findNextDocumentAction } from "./document-actions.ts";
import { InvoiceSheet } from "./invoice.tsx";

interface ReservationDocumentsProps {
  readonly of: Reservation;
  readonly documents: readonly ReservationDocument[];
  readonly onDone: (notice: string) => void;
}

/** Documents of a reservation: opens them, issues drafts and invoices. One button shows what the desk needs next. */
export function ReservationDocuments({ of, documents, onDone }: ReservationDocumentsProps) {
  const [isInvoicing, setInvoicing] = useState(false);
  const { id, kind } = of;
  const next = findNextDocumentAction(of, documents);
  const contract = { path: `/reservations/${id}/contract.pdf`, name: `${t("contract")} ${id}` };
  const invoiceButton = (
    <button type="button" onClick={() => setInvoicing(true)}>
      {t("invoiceDo")}
    </button>
  );
  return (
    <section class="panel" aria-labelledby="documents">
      <div class="head">
        <h2 id="documents">{t("documents")}</h2>
        {next !== "invoice" && canInvoice(of) && <RowMenu name={t("documents")}>{invoiceButton}</RowMenu>}
      </div>
      <ul class="plain rows">
        {kind === "rental" && (
          <li>
            <span>{t("contract")}</span>
            {next !== "contract" && <OpenDocumentButton {...contract} />}
          </li>
        )}
        {documents.map((document) => (
          <DocumentRow key={document.id} of={document} isNext={document === next} onDone={onDone} />
        ))}
      </ul>
      {next === "contract" && (
        <p>
          <OpenDocumentButton {...contract} text={t("contractOpen")} />
        </p>
      )}
      {next === "invoice" && <p>{invoiceButton}</p>}
      {typeof next === "object" && (
        <p>
          <OpenDocumentButton path={`/documents/${next.id}.pdf`} name={getNumber(next)} text={t("documentOpen")} />
        </p>
      )}
      {isInvoicing && (
        <InvoiceSheet
          of={of}
          onDone={(notice) => {
            setInvoicing(false);
            onDone(notice);
          }}
          onClose={() => setInvoicing(false)}
        />
      )}
    </section>
  );
}

const getNumber = ({ serie, number }: ReservationDocument) => (number ? `${serie ?? ""}/${number}` : t("draft"));

interface DocumentRowProps extends Pick<ReservationDocumentsProps, "onDone"> {
  readonly of: ReservationDocument;
  /** Whether the panel's button opens this document. */
  readonly isNext: boolean;
}

function DocumentRow({ of, isNext, onDone }: DocumentRowProps) {
  const number = getNumber(of);
  const isDraft = of.invoice_status === "draft";
  return (
    <li>
      <span>
        {of.concept}
        <small>{[number, of.date && formatDay(of.date)].filter(Boolean).join(" · ")}</small>
        <IntegrationErrorNotice of={of} onDone={onDone} />
      </span>
      <span class="number">{formatMoney(of.total)}</span>
      <span class="document-actions">
        {isDraft && <IssueDraftButton id={of.id} name={t("draft")} onDone={onDone} />}
        {!isNext && <OpenDocumentButton path={`/documents/${of.id}.pdf`} name={number} />}
        {!isDraft && of.document_kind !== "internal_bond" && (
          <RowMenu name={number}>
            <ElectronicInvoice of={of} />
          </RowMenu>
        )}
      </span>
    </li>
  );
}

interface PrintProps {
  readonly path: string;
  /** Name of the document, for screen readers. */
  readonly name: string;
  /** Text of the button. Defaults to PDF. */
  readonly text?: string;
}

/** Opens a document. It's only for staff, so it's fetched with the token and shown in a new tab. */
export function OpenDocumentButton({ path, name, text }: PrintProps) {
  const [state, setState] = useState<"ready" | "reading" | "failed">("ready");
  const show = async () => {
    setState("reading");
    try {
      const file = await fetchFile(toOfficePath(path));
      setState(file ? "ready" : "failed");
      if (file) openFile(file);
    } catch {
      setState("failed");
    }
  };
  return (
    <span>
      <button
        type="button"
        class={text ? "" : "small quiet"}
        aria-label={`${text ?? "PDF"}: ${name}`}
        disabled={state === "reading"}
        onClick={show}
      >
        {text ?? "PDF"}
      </button>
      <span role="status" class="problem">
        {state === "failed" && t("notPrinted")}
      </span>
    </span>
  );
}

const REVOKE_URL_AFTER_MS = 60_000;

function openFile(file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.target = "_blank";
  link.rel = "noopener";
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_URL_AFTER_MS);
}
