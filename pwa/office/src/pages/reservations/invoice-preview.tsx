import { useEffect, useState } from "preact/hooks";
import type { DocumentPreviewsMessage } from "#worker/api/office/document-messages.ts";
import { ask, getContent, office } from "../../api.ts";
import { refusedBy } from "../../desk/refusals.ts";
import { LoadErrorMessage } from "../../desk/trouble.tsx";
import { t } from "../../texts.ts";
import { type DocumentPreview, DocumentPreviewView } from "../money/document-preview.tsx";

/** Documents that would be issued for a reservation now. */
export default function InvoicePreview({ id }: { readonly id: number }) {
  const [documents, setDocuments] = useState<readonly DocumentPreview[]>();
  const [problem, setProblem] = useState("");
  const read = () => {
    setProblem("");
    ask<DocumentPreviewsMessage>("POST", office(`/reservations/${id}/documents/quote`)).then(
      (answer) => {
        const content = getContent(answer);
        setDocuments(content?.documents);
        setProblem(content ? "" : refusedBy(answer).notice);
      },
      () => setProblem(t("failed")),
    );
  };
  useEffect(read, [id]);
  return (
    <section class="wide" aria-label={t("previewInvoice")} aria-live="polite">
      <LoadErrorMessage problem={problem} onRetry={read} />
      {!documents && !problem && <p>{t("loading")}</p>}
      {documents?.length === 0 && <p class="soft">{t("previewNothing")}</p>}
      {documents?.map((document, index) => (
        <DocumentPreviewView key={`${index} ${document.document_kind}`} of={document} />
      ))}
    </section>
  );
}
