import type { ComponentChildren } from "preact";
import { SECURITY_EVENTS } from "#domain/access/security-events.ts";
import type { Immutable } from "#shared/immutable.ts";
import type { SecurityEventsMessage } from "#worker/api/office/security-messages.ts";
import { formatCents, formatCompanyMoment } from "../account.ts";
import { type ListFilter, ListFilterForm } from "../desk/filters.tsx";
import { ListDownload } from "../desk/list-download.tsx";
import { RowsTable, type TableColumn } from "../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../desk/search.tsx";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { type UserOption, useOptions } from "../desk/use-options.ts";
import { linkTo } from "../route.ts";
import { t, tOr } from "../texts.ts";

type Detail = Readonly<Record<string, string | number | null>>;

type SecurityEvent = Immutable<SecurityEventsMessage["data"][number]>;

const NAMES = ["kind", "user_id", "date_from", "date_to"];
const PATH = "/security-events";

const createFilters = (users: readonly UserOption[]): readonly ListFilter[] => [
  {
    name: "kind",
    label: "kind",
    kind: "choice",
    choices: () => SECURITY_EVENTS.map((item) => [item, t(`event.${item}`)] as const),
  },
  {
    name: "user_id",
    label: "eventUser",
    kind: "choice",
    choices: () => users.map(({ id, full_name }) => [String(id), full_name] as const),
  },
  { name: "date_from", label: "field.date_from", kind: "date" },
  { name: "date_to", label: "field.date_to", kind: "date" },
];

const columns = (): readonly TableColumn<SecurityEvent>[] => [
  {
    head: t("date"),
    cell: ({ at, last_at: last, count }) => (
      <>
        {formatCompanyMoment(at)}
        {count > 1 && <small>{t("eventTimes", { n: count, at: formatCompanyMoment(last) })}</small>}
      </>
    ),
    is: "name",
  },
  { head: t("kind"), cell: ({ kind }) => tOr(`event.${kind}`, kind) },
  { head: t("eventUser"), cell: ({ user_name: name }) => name ?? t("nothing") },
  { head: t("eventDetail"), cell: ({ detail }) => detailText(detail), is: "wide" },
  { head: t("eventNetwork"), cell: ({ network }) => (network ? <code>{network}</code> : t("nothing")) },
];

/** Security log for administrators: sign-ins, changes and data exports. */
export default function SecurityLog() {
  const users = useOptions("users");
  const search = useSearch<SecurityEventsMessage>(PATH, NAMES);
  return (
    <main>
      <SettingsCrumbs />
      <div class="head">
        <h1>{t("securityLog")}</h1>
        <ListDownload path={PATH} names={NAMES} />
      </div>
      <p class="soft">{t("securityLogHelp")}</p>
      <ListFilterForm filters={createFilters(users)} />
      <ListSearchResults search={search} empty={t("noEvents")} none={t("noEventSo")}>
        {(rows) => <RowsTable name={t("securityLog")} rows={rows} columns={columns()} keyOf={({ id }) => id} />}
      </ListSearchResults>
    </main>
  );
}

// Formatters of the details of each kind. Unknown ones are shown unchanged.
const PARTS: Readonly<Record<string, (value: string | number, detail: Detail) => ComponentChildren>> = {
  booking: (value) => <a href={linkTo("reservations", value)}>{t("reservationNo", { id: value })}</a>,
  customer: (value) => (
    <a href={linkTo("customers", value)}>
      {t("customer")} {value}
    </a>
  ),
  cents: (value) => formatCents(Number(value)),
  key: (value) => `“${value}”`,
  what: (value) => tOr(`eventWhat.${value}`, String(value)),
  from: (value) => tOr(`option.${value}`, String(value)),
  to: (value, { from }) => `${from && from !== value ? "→ " : ""}${tOr(`option.${value}`, String(value))}`,
  active: (value) => (value === 1 ? "" : t("eventInactive")),
  everywhere: (value) => t(value === 1 ? "eventEverywhere" : "eventSomewhere"),
  rows: (value) => t("eventRows", { n: value }),
  session: () => "",
  by: () => "",
};

function detailText(detail: Detail): ComponentChildren {
  const { from, to } = detail;
  const parts = Object.entries(detail).flatMap(([name, value]) => {
    if (value === null || (name === "from" && from === to)) return [];
    const detailTexts = PARTS[name] ? PARTS[name](value, detail) : `${name} ${value}`;
    return detailTexts === "" ? [] : [<span key={name}>{detailTexts} </span>];
  });
  return parts.length > 0 ? parts : t("nothing");
}
