import { useState } from "preact/hooks";
import type { DocumentListMessage } from "#worker/api/office/money-messages.ts";
import { formatDay, formatMoney, getCompanyDateTime, hasUserRight } from "../../account.ts";
import { formatAmountCell } from "../../desk/amount-cell.ts";
import { createLazyBulkActions } from "../../desk/bulk-part.tsx";
import { BRANCH_FILTER, CUSTOMER_FILTER, type ListFilter, ListFilterForm } from "../../desk/filters.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { type ListTotal, LoadedTotals } from "../../desk/list-totals.tsx";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../../desk/search.tsx";
import { sumAmounts } from "../../desk/sum-amounts.ts";
import { useRowSelection } from "../../desk/use-selection.ts";
import { LIST_QUERY_NAMES, ListViews } from "../../desk/views.tsx";
import { linkTo } from "../../route.ts";
import { t } from "../../texts.ts";
import { OpenDocumentButton } from "../reservations/documents.tsx";
import { DocumentActions } from "./document-actions.tsx";
import { IntegrationErrorNotice } from "./integration-error.tsx";
import { InvoicePayment } from "./invoice-payment.tsx";
import { JournalExport } from "./journal.tsx";
import { formatDocumentNumber, type ListedDocument } from "./money.ts";

const Bulk = createLazyBulkActions<ListedDocument>(() => import("./document-bulk-actions.tsx"));

const KINDS = ["full", "simplified", "credit_note", "internal_bond"] as const;
const FILTERS: readonly ListFilter[] = [
  { name: "q", label: "search", kind: "search", hint: "findDocumentHint" },
  {
    name: "document_kind",
    label: "kind",
    kind: "choice",
    choices: () => KINDS.map((kind) => [kind, t(`document.${kind}`)] as const),
  },
  { name: "date_from", label: "field.date_from", kind: "date" },
  { name: "date_to", label: "field.date_to", kind: "date" },
  BRANCH_FILTER,
  CUSTOMER_FILTER,
];
const NAMES = [...FILTERS.map(({ name }) => name), "invoice_status", "payment_status", ...LIST_QUERY_NAMES];

type PendingDocument = Pick<ListedDocument, "invoice_status" | "total_pending">;

// Nobody owes a draft yet.
const getPendingAmount = ({ invoice_status: status, total_pending: pending }: PendingDocument): string =>
  status === "draft" ? "0" : pending;

/** Total of the pending amounts of documents, without drafts. */
export const listDocumentTotals = (documents: readonly PendingDocument[]): readonly ListTotal[] => [
  [t("pending"), sumAmounts(documents.map(getPendingAmount))],
];

const columns = (onDone: (notice: string) => void): readonly TableColumn<ListedDocument>[] => [
  {
    head: t("document"),
    sort: "number",
    cell: (moneyDocument) => (
      <>
        <span class="document-number">{formatDocumentNumber(moneyDocument)}</span>
        <small class="from-laptop">{t(`document.${moneyDocument.document_kind}`)}</small>
        <IntegrationErrorNotice of={moneyDocument} onDone={onDone} />
      </>
    ),
  },
  {
    head: t("in.status"),
    cell: (moneyDocument) => (
      <span class="state" data-state={getDocumentState(moneyDocument)}>
        {t(`document.${getDocumentState(moneyDocument)}`)}
      </span>
    ),
  },
  {
    head: t("customer"),
    sort: "customer_fullname",
    cell: (moneyDocument) => (
      <>
        {moneyDocument.customer_full_name || t("nothing")}
        <Reservation of={moneyDocument} />
      </>
    ),
    is: "wide",
  },
  {
    head: t("date"),
    sort: "date",
    cell: ({ date }) => (date ? formatDay(date) : t("nothing")),
    is: "date",
    from: "laptop",
  },
  { head: t("dueDate"), cell: (moneyDocument) => formatDueDate(moneyDocument), is: "date", from: "desktop" },
  { head: t("total"), sort: "total", cell: ({ total }) => formatMoney(total), is: "number" },
  {
    head: t("pending"),
    sort: "total_pending",
    cell: (moneyDocument) => formatAmountCell(getPendingAmount(moneyDocument)),
    is: "number",
    from: "laptop",
  },
  {
    head: "PDF",
    cell: (moneyDocument) => (
      <div class="buttons">
        <InvoicePayment document={moneyDocument} name={formatDocumentNumber(moneyDocument)} onDone={onDone} />
        <OpenDocumentButton path={`/documents/${moneyDocument.id}.pdf`} name={formatDocumentNumber(moneyDocument)} />
        <DocumentActions of={moneyDocument} name={formatDocumentNumber(moneyDocument)} onDone={onDone} />
      </div>
    ),
    is: "press",
  },
];

// Formats the due date of an unpaid invoice. Other documents show a dash.
function formatDueDate({ due_date: due, payment_status: payment }: ListedDocument) {
  if (!due || payment !== "pending") return t("nothing");
  return due < getCompanyDateTime().date ? (
    <span class="problem">{t("overdueSince", { date: formatDay(due) })}</span>
  ) : (
    formatDay(due)
  );
}

function Reservation({ of: { reference, reference_source: source } }: { readonly of: ListedDocument }) {
  if (!reference) return null;
  const isOwnDocument = source === "booking";
  return (
    <small>
      {isOwnDocument ? (
        <a href={linkTo("reservations", reference)}>{t("reservationNo", { id: reference })}</a>
      ) : (
        reference
      )}
    </small>
  );
}

function getDocumentState(moneyDocument: ListedDocument): "draft" | "replaced" | "paid" | "unpaid" {
  const { invoice_status: status, payment_status: payment, replaced_by_invoice_number: replacedBy } = moneyDocument;
  if (status === "draft") return "draft";
  if (replacedBy !== null) return "replaced";
  return payment === "paid" ? "paid" : "unpaid";
}

/** Documents with unpaid and draft filters, each printable. */
export function DocumentListPage() {
  const search = useSearch<DocumentListMessage>("/documents", NAMES);
  const { selection, bulk, isSelecting } = useRowSelection<ListedDocument>(({ id }) => id, search.again);
  const [notice, setNotice] = useState("");
  const showSuccess = (text: string) => {
    setNotice(text);
    search.again();
  };
  return (
    <>
      <ListViews list="documents" replaces={["invoice_status", "payment_status"]} />
      <ListFilterForm filters={FILTERS} />
      <LoadedTotals search={search} toTotals={listDocumentTotals} />
      <p class="done" role="status">
        {notice}
      </p>
      <ListSearchResults
        search={search}
        empty={t("noDocuments")}
        none={t("noDocumentSo")}
        tools={
          <span class="actions">
            {hasUserRight("sell") && (
              <a class="button small" href={linkTo("money", "collectiveInvoice")}>
                {t("collectiveInvoice")}
              </a>
            )}
            <JournalExport onDone={setNotice} />
            <ListDownload path="/documents" names={NAMES} />
          </span>
        }
      >
        {(rows) => (
          <>
            {isSelecting && <Bulk {...bulk(rows)} />}
            <RowsTable
              name={t("documents")}
              rows={rows}
              columns={columns(showSuccess)}
              keyOf={({ id }) => id}
              selection={selection}
            />
          </>
        )}
      </ListSearchResults>
    </>
  );
}
