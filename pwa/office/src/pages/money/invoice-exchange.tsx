import { useState } from "preact/hooks";
import type { InvoiceExchangeQuoteRequest, InvoiceExchangeRequest } from "#worker/api/documents/messages.ts";
import type { DocumentListMessage } from "#worker/api/office/money-messages.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import type { FormField, FormValues } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { createLazyPart } from "../../desk/lazy-page.tsx";
import { t } from "../../texts.ts";
import { formatDocumentNumber, type ListedDocument } from "./money.ts";

const Preview = createLazyPart(() => import("./documents-preview.tsx"));

const TOGETHER: FormField<"together"> = { name: "together", kind: "flag", label: "exchangeTogether", isWide: true };

interface ExchangeProps {
  readonly of: ListedDocument;
  readonly onDone: (notice: string) => void;
}

/** Exchanges a simplified invoice for a full one, after a preview. Several of the contract can be combined. */
export function InvoiceExchange({ of, onDone }: ExchangeProps) {
  const [others, setOthers] = useState<readonly ListedDocument[]>();
  const [problem, setProblem] = useState("");
  const name = formatDocumentNumber(of);
  const path = `/api/v1/documents/${of.id}/exchange`;
  const open = async () => {
    const otherDocuments = await findOtherDocuments(of).catch(() => undefined);
    setProblem(otherDocuments ? "" : t("notSent"));
    setOthers(otherDocuments);
  };
  const selectOthers = ({ together }: FormValues): InvoiceExchangeQuoteRequest =>
    together === true && others ? { other_document_ids: others.map(({ id }) => id) } : {};
  return (
    <>
      <button type="button" class="small" aria-label={`${t("exchangeDo")}: ${name}`} onClick={open}>
        {t("exchangeDo")}
      </button>
      {problem && (
        <small role="alert" class="problem">
          {problem}
        </small>
      )}
      {others && (
        <FormSheet<object, { readonly together?: boolean }>
          title={`${t("exchangeDo")}: ${name}`}
          {...(others.length > 0 && {
            introduction: t("exchangeOthers", { others: others.map(formatDocumentNumber).join(", ") }),
          })}
          draft={["exchange", String(of.id)]}
          fields={others.length > 0 ? [TOGETHER] : []}
          outcome={(values) => <Preview path={`${path}/quote`} body={selectOthers(values)} />}
          submit={t("exchangeDo")}
          send={(values, key) =>
            sendOfficeRequest<object, InvoiceExchangeRequest>("POST", path, {
              body: { request_id: key, ...selectOthers(values) },
            })
          }
          onDone={() => {
            setOthers(undefined);
            onDone(`${name}: ${t("exchangeDone")}`);
          }}
          onClose={() => setOthers(undefined)}
        />
      )}
    </>
  );
}

// Only a document of a reservation can have other documents to combine with.
async function findOtherDocuments({
  id,
  reference,
  reference_source: source,
}: ListedDocument): Promise<readonly ListedDocument[]> {
  if (source !== "booking" || reference === null) return [];
  const path = `/documents?reservation_id=${reference}&document_kind=simplified&invoice_status=invoice`;
  const answer = await sendOfficeRequest<DocumentListMessage>("GET", toOfficePath(path));
  const otherDocuments = getSuccessfulContent(answer)?.data ?? [];
  return otherDocuments.filter(
    (moneyDocument) =>
      moneyDocument.id !== id && moneyDocument.replaced_by_invoice_number === null && !isCredited(moneyDocument),
  );
}

const isCredited = ({ total_settled_by_credit: settled }: ListedDocument) => Number(settled) !== 0;
