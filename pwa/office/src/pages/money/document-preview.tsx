import type { Immutable } from "#shared/immutable.ts";
import type { DocumentPreviewsMessage } from "#worker/api/office/document-messages.ts";
import { formatDay, formatMoney, formatPercent } from "../../account.ts";
import { t, tOr } from "../../texts.ts";

export type DocumentPreview = Immutable<DocumentPreviewsMessage>["documents"][number];

type Line = DocumentPreview["items"][number];

/** Documents before they're issued, in order of issue. */
export default function DocumentPreviewList({ documents }: { readonly documents: readonly DocumentPreview[] }) {
  return documents.map((document, index) => (
    <DocumentPreviewView key={`${index} ${document.document_kind}`} of={document} />
  ));
}

// Addressee, lines by contract, taxes and total.
function DocumentPreviewView({ of }: { readonly of: DocumentPreview }) {
  return (
    <section class="document-preview" aria-label={t(`document.${of.document_kind}`)}>
      <p>
        <strong>{t(`document.${of.document_kind}`)}</strong>{" "}
        <span class="soft">
          {formatDay(of.date)}
          {of.due_date && of.due_date !== of.date && ` · ${t("dueDate")}: ${formatDay(of.due_date)}`}
        </span>
      </p>
      <Addressee of={of} />
      {of.mail_to && (
        <p class="soft">
          {t("previewMailTo", { address: of.mail_to })}
          {of.einvoice && ` · ${t("eInvoice")}: ${t(`option.${of.einvoice.format}`)}`}
        </p>
      )}
      {of.missing.length > 0 && (
        <p class="notice waiting">
          {t("previewMissing", { fields: of.missing.map((name) => tOr(`field.${name}`, name)).join(", ") })}
        </p>
      )}
      <table class="sums">
        <tbody>
          {of.contracts.map((contract) => (
            <ContractLines key={contract.reservation_id} of={contract} />
          ))}
          {of.contracts.length === 0 &&
            of.items.map((line, index) => <LineRow key={`${index} ${line.concept}`} of={line} />)}
        </tbody>
        <tfoot>
          <tr class="beside">
            <th scope="row">{t("subtotal")}</th>
            <td class="number">{formatMoney(of.subtotal)}</td>
          </tr>
          {of.taxes.map(({ vat_percentage: percent, taxes }) => (
            <tr key={percent} class="beside">
              <th scope="row">{t("taxAt", { percent: formatPercent(percent) })}</th>
              <td class="number">{formatMoney(taxes)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t("total")}</th>
            <td class="number">{formatMoney(of.total)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function Addressee({ of }: { readonly of: DocumentPreview }) {
  const street = [of.customer_address_street, of.customer_address_number, of.customer_address_complement];
  const city = [of.customer_address_zip, of.customer_address_city, of.customer_address_country];
  const lines = [of.customer_document_id, ...[street, city].map((parts) => parts.filter(Boolean).join(" "))];
  return (
    <p>
      <span class="strong">{of.customer_full_name}</span>
      {lines.filter(Boolean).map((line) => (
        <small key={line}>{line}</small>
      ))}
    </p>
  );
}

function ContractLines({ of }: { readonly of: DocumentPreview["contracts"][number] }) {
  return (
    <>
      <tr>
        <th scope="row" class="strong">
          {t("reservationNo", { id: of.reservation_id })}
          <small>{[of.reference_detail, of.reference_dates].filter(Boolean).join(" · ")}</small>
        </th>
        <td class="number strong">{formatMoney(of.total)}</td>
      </tr>
      {of.items.map((line, index) => (
        <LineRow key={`${index} ${line.concept}`} of={line} />
      ))}
    </>
  );
}

function LineRow({ of }: { readonly of: Line }) {
  return (
    <tr>
      <th scope="row">
        {of.quantity > 1 ? `${of.quantity} × ` : ""}
        {of.concept}
      </th>
      <td class="number">{formatMoney(of.total)}</td>
    </tr>
  );
}
