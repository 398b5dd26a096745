import { useState } from "preact/hooks";
import { formatDay, formatMoney } from "../../account.ts";
import { fetchFile, toOfficePath } from "../../api.ts";
import type { Reservation, ReservationDocument } from "../../desk/reservation.ts";
import { t } from "../../texts.ts";
import { ElectronicInvoice } from "../money/e-invoice.tsx";
import { IntegrationError } from "../money/integration-error.tsx";
import { IssueDraftButton } from "../money/issue-draft-button.tsx";
import { InvoiceForm } from "./invoice.tsx";

interface ReservationDocumentsProps {
  readonly of: Reservation;
  readonly documents: readonly ReservationDocument[];
  readonly onDone: (notice: string) => void;
}

/** Documents of a reservation: opens their PDFs, issues drafts, and contains the invoice form. */
export function ReservationDocuments({ of, documents, onDone }: ReservationDocumentsProps) {
  const { id, kind } = of;
  return (
    <section class="panel" aria-labelledby="documents">
      <h2 id="documents">{t("documents")}</h2>
      <ul class="plain rows">
        {kind === "rental" && (
          <li>
            <span>{t("contract")}</span>
            <OpenDocumentButton path={`/reservations/${id}/contract.pdf`} name={`${t("contract")} ${id}`} />
          </li>
        )}
        {documents.map((document) => (
          <li key={document.id}>
            <span>
              {document.concept}
              <small>
                {[
                  document.number ? `${document.serie ?? ""}/${document.number}` : t("draft"),
                  document.date && formatDay(document.date),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </small>
              <IntegrationError of={document} onDone={onDone} />
            </span>
            <span class="number">{formatMoney(document.total)}</span>
            {document.invoice_status === "draft" && (
              <IssueDraftButton id={document.id} name={t("draft")} onDone={onDone} />
            )}
            <OpenDocumentButton
              path={`/documents/${document.id}.pdf`}
              name={document.number ? `${document.serie ?? ""}/${document.number}` : t("draft")}
            />
            <ElectronicInvoice of={document} />
          </li>
        ))}
      </ul>
      <InvoiceForm of={of} onDone={onDone} />
    </section>
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
