import type { CustomerListMessage } from "#worker/api/office/customer-messages.ts";
import { hasUserRight } from "../../account.ts";
import { createLazyBulkActions } from "../../desk/bulk-part.tsx";
import { ColumnChoice } from "../../desk/columns.tsx";
import { BRANCH_FILTER, type ListFilter, ListFilterForm } from "../../desk/filters.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../../desk/search.tsx";
import { useRowSelection } from "../../desk/use-selection.ts";
import { LIST_QUERY_NAMES, ListViews } from "../../desk/views.tsx";
import { linkTo } from "../../route.ts";
import { t, tOr } from "../../texts.ts";
import { type Customer, formatPhone, getCustomerName, listCustomerTypeChoices } from "./customer.ts";

const Bulk = createLazyBulkActions<Customer>(() => import("./customer-bulk-actions.tsx"));

const FILTERS: readonly ListFilter[] = [
  { name: "q", label: "search", kind: "search", hint: "findCustomerHint" },
  { name: "customer_type", label: "kind", kind: "choice", choices: listCustomerTypeChoices },
  BRANCH_FILTER,
];
const NAMES = [...FILTERS.map(({ name }) => name), ...LIST_QUERY_NAMES];

const columns = (): readonly TableColumn<Customer>[] => [
  { head: t("customer"), sort: "full_name", cell: (customer) => getCustomerName(customer), is: "name" },
  { head: t("in.customer.document_id"), sort: "document_id", cell: ({ document_id }) => document_id ?? t("nothing") },
  { head: t("in.customer.email"), sort: "email", cell: ({ email }) => email ?? t("nothing"), is: "wide" },
  { head: t("in.customer.phone"), cell: (customer) => formatPhone(customer) || t("nothing") },
  {
    head: t("kind"),
    sort: "customer_type",
    cell: ({ customer_type: type }) => tOr(`customerType.${type}`, type),
    from: "laptop",
  },
];

/** Customer list, searchable by parts of name, document, email or phone. */
export function CustomerSearch() {
  const search = useSearch<CustomerListMessage>("/customers", NAMES);
  const { selection, bulk, isSelecting } = useRowSelection<Customer>(({ id }) => id, search.again);
  return (
    <main>
      <div class="head">
        <h1>{t("customers")}</h1>
        {hasUserRight("sell") && (
          <a class="button main" data-new href={linkTo("customers", "new")}>
            {t("newCustomer")}
          </a>
        )}
      </div>
      <ListViews list="customers" replaces={["customer_type"]} />
      <ListFilterForm filters={FILTERS} />
      <ListSearchResults
        search={search}
        empty={t("noCustomers")}
        none={t("noCustomerSo")}
        tools={
          <span class="actions">
            <ColumnChoice list="customers" columns={columns()} />
            <ListDownload path="/customers" names={NAMES} />
          </span>
        }
      >
        {(rows) => (
          <>
            {isSelecting && <Bulk {...bulk(rows)} />}
            <RowsTable
              name={t("customers")}
              rows={rows}
              columns={columns()}
              keyOf={({ id }) => id}
              list="customers"
              to={({ id }) => ["customers", id]}
              selection={selection}
            />
          </>
        )}
      </ListSearchResults>
    </main>
  );
}
