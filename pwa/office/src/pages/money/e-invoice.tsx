import { useState } from "preact/hooks";
import { fetchFileOrRefusal, toOfficePath } from "../../api.ts";
import { formatEInvoiceFieldNames } from "../../desk/e-invoice-fields.ts";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { saveFile } from "../../desk/save-file.ts";
import { t } from "../../texts.ts";
import { formatDocumentNumber, type ListedDocument } from "./money.ts";

const FORMATS = ["ubl", "xrechnung", "cii", "facturx", "facturae"] as const;

type EInvoiceDocument = Pick<ListedDocument, "id" | "serie" | "number" | "invoice_status" | "document_kind">;

/** Downloads of a document's electronic invoice, by format. A refusal names what the format lacks. */
export function ElectronicInvoice({ of }: { readonly of: EInvoiceDocument }) {
  const [problem, setProblem] = useState("");
  if (of.invoice_status === "draft" || of.document_kind === "internal_bond") return null;
  const name = formatDocumentNumber(of);
  const save = async (format: (typeof FORMATS)[number]) => {
    setProblem("");
    const answer = await fetchFileOrRefusal(toOfficePath(`/documents/${of.id}/einvoice?format=${format}`)).catch(
      () => undefined,
    );
    if (!answer) return setProblem(t("notSent"));
    if (!("refusal" in answer)) return saveFile(answer.file, answer.name);
    const { code, detail = [] } = answer.refusal.body;
    setProblem(
      code === "einvoice_incomplete"
        ? t("eInvoiceLacks", { fields: formatEInvoiceFieldNames(detail.map(({ field }) => field)) })
        : toRefusalTexts(answer.refusal).notice,
    );
  };
  return (
    <details class="row-menu e-invoice">
      <summary class="button small" aria-label={`${t("eInvoice")}: ${name}`}>
        {t("eInvoice")}
      </summary>
      <div>
        {FORMATS.map((format) => (
          <button key={format} type="button" class="small" onClick={() => void save(format)}>
            {t(`option.${format}`)}
          </button>
        ))}
        <span role="status" class="problem">
          {problem}
        </span>
      </div>
    </details>
  );
}
