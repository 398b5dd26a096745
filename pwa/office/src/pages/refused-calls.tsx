import type { Immutable } from "#shared/immutable.ts";
import type { RefusedApiCallsMessage } from "#worker/api/office/refused-call-messages.ts";
import { formatDay, getCompanyDateTime } from "../account.ts";
import { type ListFilter, ListFilterForm } from "../desk/filters.tsx";
import { RowsTable, type TableColumn } from "../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../desk/search.tsx";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { type AgencyOption, useOptions } from "../desk/use-options.ts";
import { t, tOr } from "../texts.ts";

type RefusedCall = Immutable<RefusedApiCallsMessage["data"][number]>;

type Choices = Pick<Immutable<RefusedApiCallsMessage>, "partners" | "operations">;

const NAMES = ["partner", "agency_id", "operation", "date_from", "date_to"];

const createFilters = ({ partners, operations }: Choices, agencies: readonly AgencyOption[]): readonly ListFilter[] => [
  ...(agencies.length > 0
    ? [
        {
          name: "agency_id",
          label: "refusedAgency",
          kind: "choice",
          choices: () => agencies.map(({ id, name }) => [String(id), name] as const),
        } as const,
      ]
    : []),
  {
    name: "partner",
    label: "refusedPartner",
    kind: "choice",
    choices: () => partners.map(({ partner, partner_name: name }) => [partner, name] as const),
  },
  {
    name: "operation",
    label: "refusedOperation",
    kind: "choice",
    choices: () => operations.map((operation) => [operation, operationText(operation)] as const),
  },
  { name: "date_from", label: "field.date_from", kind: "date" },
  { name: "date_to", label: "field.date_to", kind: "date" },
];

const operationText = (operation: string) => (operation.endsWith(" -") ? t("refusedNowhere") : operation);

const columns = (): readonly TableColumn<RefusedCall>[] => [
  {
    head: t("date"),
    cell: ({ day, last_at: last }) => (
      <>
        {formatDay(day)}
        <small>{t("refusedLast", { at: getCompanyDateTime(Date.parse(last)).time })}</small>
      </>
    ),
  },
  {
    head: t("refusedPartner"),
    cell: ({ partner_name: name, agency_name: agency, kind }) => (
      <>
        {name}
        {(agency ?? name) !== name && <small>{agency}</small>}
        {kind === "website" && <small>{t("refusedWebsite")}</small>}
      </>
    ),
  },
  { head: t("refusedOperation"), cell: ({ operation }) => <code>{operationText(operation)}</code> },
  { head: t("refusedTimes"), cell: ({ count }) => String(count), is: "number" },
  {
    head: t("refusedReason"),
    cell: ({ code, last_message: lastMessage, last_request_id: request }) => (
      <>
        {tOr(`callRefused.${code}`, tOr(`refused.${code}`, code))}
        <small>“{lastMessage}”</small>
        <small>{t("refusedRequest", { id: request })}</small>
      </>
    ),
    is: "wide",
  },
];

/** Rejected calls of partners and websites with reason and count, for managers who answer them. */
export default function RefusedCalls() {
  const agencies = useOptions("agencies");
  const search = useSearch<RefusedApiCallsMessage>("/refused-calls", NAMES);
  const choices = search.result?.answer ?? { partners: [], operations: [] };
  return (
    <main>
      <SettingsCrumbs />
      <h1>{t("refusedCalls")}</h1>
      <p class="soft">{t("refusedCallsHelp")}</p>
      <ListFilterForm filters={createFilters(choices, agencies)} />
      <ListSearchResults search={search} empty={t("noRefusedCalls")} none={t("noEventSo")}>
        {(rows) => <RowsTable name={t("refusedCalls")} rows={rows} columns={columns()} keyOf={({ id }) => id} />}
      </ListSearchResults>
    </main>
  );
}
