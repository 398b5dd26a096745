import { useState } from "preact/hooks";
import type { DocumentExchangeRequest } from "#worker/api/documents/messages.ts";
import type { DocumentListMessage } from "#worker/api/office/money-messages.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { ConfirmButton } from "../../desk/confirm-button.tsx";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { t } from "../../texts.ts";
import { formatDocumentNumber, type ListedDocument } from "./money.ts";

interface ExchangeProps {
  readonly of: ListedDocument;
  readonly onDone: (notice: string) => void;
}

/** Exchanges a simplified invoice for a full one. Several simplified invoices of the contract can be combined. */
export function InvoiceExchange({ of, onDone }: ExchangeProps) {
  const [others, setOthers] = useState<readonly ListedDocument[]>([]);
  const [problem, setProblem] = useState("");
  const name = formatDocumentNumber(of);
  const send = (key: string, body: Pick<DocumentExchangeRequest, "other_document_ids"> = {}) =>
    sendOfficeRequest<object, DocumentExchangeRequest>("POST", `/api/v1/documents/${of.id}/exchange`, {
      body: { request_id: key, ...body },
    });
  const handleDone = () => onDone(`${name}: ${t("exchangeDone")}`);
  const press = async () => {
    const otherDocuments = await findOtherDocuments(of).catch(() => undefined);
    if (otherDocuments && otherDocuments.length > 0) return setOthers(otherDocuments);
    const answer = otherDocuments && (await send(crypto.randomUUID()).catch(() => undefined));
    if (answer?.status === 200) return handleDone();
    setProblem(answer ? toRefusalTexts(answer).notice : t("notSent"));
  };
  return (
    <>
      <ConfirmButton text={t("exchangeDo")} of={name} onSure={press} />
      {problem && (
        <small role="alert" class="problem">
          {problem}
        </small>
      )}
      {others.length > 0 && (
        <FormSheet<object, { readonly together?: boolean }>
          title={`${t("exchangeDo")}: ${name}`}
          introduction={t("exchangeOthers", { others: others.map(formatDocumentNumber).join(", ") })}
          draft={["exchange", String(of.id)]}
          fields={[{ name: "together", kind: "flag", label: "exchangeTogether", isWide: true }]}
          submit={t("exchangeDo")}
          send={({ together }, key) =>
            send(key, together === true ? { other_document_ids: others.map(({ id }) => id) } : {})
          }
          onDone={() => {
            setOthers([]);
            handleDone();
          }}
          onClose={() => setOthers([])}
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
