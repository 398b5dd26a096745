import { useEffect, useState } from "preact/hooks";
import type {
  CreditNoteQuoteRequest,
  InvoiceExchangeQuoteRequest,
  InvoiceQuoteRequest,
} from "#worker/api/documents/messages.ts";
import type { DocumentPreviewsMessage } from "#worker/api/office/document-messages.ts";
import { getSuccessfulContent, sendOfficeRequest } from "../../api.ts";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { t } from "../../texts.ts";
import DocumentPreviewList, { type DocumentPreview } from "./document-preview.tsx";

const WAIT_MILLISECONDS = 250;

type PreviewRequest = CreditNoteQuoteRequest | InvoiceExchangeQuoteRequest | InvoiceQuoteRequest;

interface DocumentsPreviewProps {
  /** Address of the preview. */
  readonly path: string;
  readonly body?: PreviewRequest;
}

/** Documents that a form would issue now. Follows what is typed. */
export default function DocumentsPreview({ path, body = {} }: DocumentsPreviewProps) {
  const [documents, setDocuments] = useState<readonly DocumentPreview[]>();
  const [problem, setProblem] = useState("");
  const [attempt, setAttempt] = useState(0);
  const content = JSON.stringify(body);
  useEffect(() => {
    let isOver = false;
    const take = (previews: readonly DocumentPreview[] | undefined, errorText: string) => {
      if (isOver) return;
      setDocuments(previews);
      setProblem(errorText);
    };
    const timer = setTimeout(() => {
      sendOfficeRequest<DocumentPreviewsMessage, PreviewRequest>("POST", path, { body }).then(
        (answer) => {
          const { fields, notice } = toRefusalTexts(answer);
          const previews = getSuccessfulContent(answer)?.documents;
          take(previews, previews ? "" : [notice, ...Object.values(fields)].join(" "));
        },
        () => take(undefined, t("notLoaded")),
      );
    }, WAIT_MILLISECONDS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [path, content, attempt]);
  return (
    <section class="wide" aria-label={t("previewInvoice")} aria-live="polite">
      <LoadErrorMessage problem={problem} onRetry={() => setAttempt(attempt + 1)} />
      {!documents && !problem && <p>{t("loading")}</p>}
      {documents?.length === 0 && <p class="soft">{t("previewNothing")}</p>}
      {documents && <DocumentPreviewList documents={documents} />}
    </section>
  );
}
