import type { Immutable } from "#shared/immutable.ts";
import type { RejectedRequestsMessage } from "#worker/api/office/rejected-request-messages.ts";
import { formatDay, getCompanyDateTime } from "../account.ts";
import { type ListFilter, ListFilterForm } from "../desk/filters.tsx";
import { RowsTable, type TableColumn } from "../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../desk/search.tsx";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { type AgencyOption, useOptions } from "../desk/use-options.ts";
import { t, tOr } from "../texts.ts";

type RejectedRequest = Immutable<RejectedRequestsMessage["data"][number]>;

type Choices = Pick<Immutable<RejectedRequestsMessage>, "partners" | "operations">;

const NAMES = ["partner", "agency_id", "operation", "date_from", "date_to"];

const createFilters = ({ partners, operations }: Choices, agencies: readonly AgencyOption[]): readonly ListFilter[] => [
  ...(agencies.length > 0
    ? [
        {
          name: "agency_id",
          label: "rejectedAgency",
          kind: "choice",
          choices: () => agencies.map(({ id, name }) => [String(id), name] as const),
        } as const,
      ]
    : []),
  {
    name: "partner",
    label: "rejectedPartner",
    kind: "choice",
    choices: () => partners.map(({ partner, partner_name: name }) => [partner, name] as const),
  },
  {
    name: "operation",
    label: "rejectedOperation",
    kind: "choice",
    choices: () => operations.map((operation) => [operation, operationText(operation)] as const),
  },
  { name: "date_from", label: "field.date_from", kind: "date" },
  { name: "date_to", label: "field.date_to", kind: "date" },
];

const operationText = (operation: string) => (operation.endsWith(" -") ? t("rejectedNowhere") : operation);

const columns = (): readonly TableColumn<RejectedRequest>[] => [
  {
    head: t("date"),
    cell: ({ day, last_at: last }) => (
      <>
        {formatDay(day)}
        <small>{t("rejectedLast", { at: getCompanyDateTime(Date.parse(last)).time })}</small>
      </>
    ),
  },
  {
    head: t("rejectedPartner"),
    cell: ({ partner_name: name, agency_name: agency, kind }) => (
      <>
        {name}
        {(agency ?? name) !== name && <small>{agency}</small>}
        {kind === "website" && <small>{t("rejectedWebsite")}</small>}
      </>
    ),
  },
  { head: t("rejectedOperation"), cell: ({ operation }) => <code>{operationText(operation)}</code> },
  { head: t("rejectedTimes"), cell: ({ count }) => String(count), is: "number" },
  {
    head: t("rejectedReason"),
    cell: ({ code, last_message: lastMessage, last_request_id: request }) => (
      <>
        {tOr(`rejectedRequest.${code}`, tOr(`refused.${code}`, code))}
        <small>“{lastMessage}”</small>
        <small>{t("rejectedRequestId", { id: request })}</small>
      </>
    ),
    is: "wide",
  },
];

/** Rejected requests of partners and websites with reason and count, for managers who answer them. */
export default function RejectedRequests() {
  const agencies = useOptions("agencies");
  const search = useSearch<RejectedRequestsMessage>("/rejected-requests", NAMES);
  const choices = search.result?.answer ?? { partners: [], operations: [] };
  return (
    <main>
      <SettingsCrumbs />
      <h1>{t("rejectedRequests")}</h1>
      <p class="soft">{t("rejectedRequestsHelp")}</p>
      <ListFilterForm filters={createFilters(choices, agencies)} />
      <ListSearchResults search={search} empty={t("noRejectedRequests")} none={t("noEventSo")}>
        {(rows) => <RowsTable name={t("rejectedRequests")} rows={rows} columns={columns()} keyOf={({ id }) => id} />}
      </ListSearchResults>
    </main>
  );
}
