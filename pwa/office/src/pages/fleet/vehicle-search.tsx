import type { VehicleListMessage } from "#worker/api/office/vehicle-messages.ts";
import { formatKilometres, getBranchName, getCategoryName, hasUserRight } from "../../account.ts";
import { createLazyBulkActions } from "../../desk/bulk-part.tsx";
import { ColumnChoice } from "../../desk/columns.tsx";
import { BRANCH_FILTER, CATEGORY_FILTER, type ListFilter, ListFilterForm } from "../../desk/filters.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../../desk/search.tsx";
import { useRowSelection } from "../../desk/use-selection.ts";
import { LIST_QUERY_NAMES, ListViews } from "../../desk/views.tsx";
import { linkTo } from "../../route.ts";
import { t } from "../../texts.ts";
import type { ListedVehicle } from "./vehicle.ts";

const Bulk = createLazyBulkActions<ListedVehicle>(() => import("./vehicle-bulk-actions.tsx"));

const STATES = ["free", "out", "blocked", "retired"] as const;
const FILTERS: readonly ListFilter[] = [
  { name: "q", label: "search", kind: "search", hint: "findVehicleHint" },
  {
    name: "state",
    label: "in.status",
    kind: "choice",
    choices: () => STATES.map((state) => [state, t(`vehicle.${state}`)] as const),
  },
  CATEGORY_FILTER,
  BRANCH_FILTER,
];
const NAMES = [...FILTERS.map(({ name }) => name), ...LIST_QUERY_NAMES];

const columns = (): readonly TableColumn<ListedVehicle>[] => [
  {
    head: t("back.stock_plate"),
    sort: "stock_plate",
    cell: ({ reference, stock_plate }) => (
      <>
        <span class="plate">{stock_plate ?? reference}</span>
        {stock_plate && <small class="from-laptop">{reference}</small>}
      </>
    ),
  },
  { head: t("in.status"), sort: "state", cell: (listedVehicle) => <VehicleStateBadge of={listedVehicle} /> },
  { head: t("vehicleName"), sort: "name", cell: ({ name }) => name, is: "wide" },
  { head: t("category"), sort: "category_code", cell: ({ category_code }) => getCategoryName(category_code) },
  {
    head: t("branch"),
    sort: "rental_location_code",
    cell: ({ rental_location_code }) => getBranchName(rental_location_code),
  },
  {
    head: t("in.kilometres"),
    sort: "usage_units",
    cell: ({ usage_units }) => formatKilometres(usage_units),
    is: "number",
    from: "laptop",
  },
];

/** Current status of a vehicle as a coloured label. */
export function VehicleStateBadge({ of: { state } }: { readonly of: Pick<ListedVehicle, "state"> }) {
  return (
    <span class="state" data-state={state}>
      {t(`vehicle.${state}`)}
    </span>
  );
}

/** Fleet list, searchable by any vehicle data and filtered by current status. */
export function VehicleSearch() {
  const search = useSearch<VehicleListMessage>("/vehicles", NAMES);
  const { selection, bulk, isSelecting } = useRowSelection<ListedVehicle>(({ reference }) => reference, search.again);
  return (
    <main>
      <div class="head">
        <h1>{t("fleet")}</h1>
        {hasUserRight("manage") && (
          <a class="button main" data-new href={linkTo("fleet", "new")}>
            {t("newVehicle")}
          </a>
        )}
      </div>
      <ListViews list="vehicles" replaces={["state"]} />
      <ListFilterForm filters={FILTERS} />
      <ListSearchResults
        search={search}
        empty={t("noFleet")}
        none={t("noVehicleSo")}
        tools={
          <span class="actions">
            <ColumnChoice list="vehicles" columns={columns()} />
            <ListDownload path="/vehicles" names={NAMES} />
          </span>
        }
      >
        {(rows) => (
          <>
            {isSelecting && <Bulk {...bulk(rows)} />}
            <RowsTable
              name={t("fleet")}
              rows={rows}
              columns={columns()}
              keyOf={({ reference }) => reference}
              list="vehicles"
              to={({ reference }) => ["fleet", reference]}
              {...(hasUserRight("sell") && { selection })}
            />
          </>
        )}
      </ListSearchResults>
    </main>
  );
}
