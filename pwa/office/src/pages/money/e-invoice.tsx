import { useState } from "preact/hooks";
import { fetchFileOrRefusal, toOfficePath } from "../../api.ts";
import { getFieldLabel } from "../../desk/fields.ts";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { saveFile } from "../../desk/save-file.ts";
import { t, tOr } from "../../texts.ts";
import { formatDocumentNumber, type ListedDocument } from "./money.ts";

const FORMATS = ["ubl", "xrechnung", "cii", "facturx", "facturae"] as const;
const COMPANY = "company_";

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
        ? t("eInvoiceLacks", { fields: nameMissing(detail.map(({ field }) => field)) })
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

// Names fields that an electronic invoice lacks. Those of the company are marked.
function nameMissing(fields: readonly string[]): string {
  const label = (name: string) => tOr(`eInvoiceField.${name}`, getFieldLabel({ name }));
  return fields
    .map((field) =>
      field.startsWith(COMPANY) ? `${label(field.slice(COMPANY.length))} (${t("groupCompany")})` : label(field),
    )
    .join(", ");
}
