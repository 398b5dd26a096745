import { fieldBuilders, type ResourceField } from "#domain/catalogue/resources/fields.ts";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import type { Immutable } from "#shared/immutable.ts";
import type { ResourceChangesMessage } from "#worker/api/office/resources/change-messages.ts";
import { formatDay, formatMoment, getBranchName, hasUserRight } from "../account.ts";
import { formatChangeAuthor } from "../desk/change-author.ts";
import { type ListFilter, ListFilterForm } from "../desk/filters.tsx";
import { RowsTable, type TableColumn } from "../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../desk/search.tsx";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { type UserOption, useOptions } from "../desk/use-options.ts";
import { linkTo } from "../route.ts";
import { t, tOr } from "../texts.ts";
import { describeFieldChange } from "./changed-text.ts";
import { HISTORY_ACTION_TEXT_KEYS } from "./history.tsx";

type Change = Immutable<ResourceChangesMessage["data"][number]>;

const NAMES = ["resource", "user_id", "date_from", "date_to"];
const EXPENSES = "expenses";
const TEMPLATES = "message-templates";

const listName = (resource: string) => {
  if (resource === TEMPLATES) return t("messageTemplates");
  return resource === EXPENSES ? t("expenses") : tOr(`list.${resource}`, resource);
};

const TEMPLATE_FIELDS: readonly ResourceField[] = [
  fieldBuilders.text("subject", "subject", 150),
  fieldBuilders.text("text", "text", 5000),
];

const createFilters = (users: readonly UserOption[]): readonly ListFilter[] => [
  {
    name: "resource",
    label: "kind",
    kind: "choice",
    choices: () =>
      [...RESOURCES.filter(({ readRight }) => hasUserRight(readRight)).map(({ name }) => name), EXPENSES, TEMPLATES]
        .map((name) => [name, listName(name)] as const)
        .toSorted(([, text], [, other]) => text.localeCompare(other)),
  },
  ...(users.length > 0
    ? [
        {
          name: "user_id",
          label: "eventUser",
          kind: "choice",
          choices: () => users.map(({ id, full_name }) => [String(id), full_name] as const),
        } as const,
      ]
    : []),
  { name: "date_from", label: "field.date_from", kind: "date" },
  { name: "date_to", label: "field.date_to", kind: "date" },
];

const columns = (): readonly TableColumn<Change>[] => [
  { head: t("date"), cell: ({ at }) => formatMoment(at) },
  { head: t("changedBy"), cell: ({ who }) => formatChangeAuthor(who) },
  {
    head: t("kind"),
    cell: (change) => (
      <>
        {change.move === "removed" ? (
          formatChangeTitle(change)
        ) : (
          <a href={toChangeLink(change)}>{formatChangeTitle(change)}</a>
        )}
        <small>{t(HISTORY_ACTION_TEXT_KEYS[change.move] ?? "eventChanged")}</small>
      </>
    ),
  },
  { head: t("eventDetail"), cell: (change) => <ChangedValues of={change} />, is: "wide" },
];

const formatChangeTitle = ({ resource, id }: Change) => `${listName(resource)} · ${formatChangedRecordId(id)}`;

/** Formats the id of a changed record. Its parts, such as a branch and a date, are separated by `~`. */
export const formatChangedRecordId = (id: string) =>
  id
    .split("~")
    .map((part) => (/^\d{4}-\d\d-\d\d$/.test(part) ? formatDay(part) : getBranchName(part)))
    .join(" · ");

function toChangeLink({ resource, id }: Change): string {
  if (resource === TEMPLATES) return linkTo(TEMPLATES);
  return resource === EXPENSES ? linkTo("expenses", id) : linkTo("list", resource, id);
}

const isFilled = (value: unknown) => value !== null && value !== undefined && value !== "" && String(value) !== "";

function ChangedValues({ of: { resource, before, after } }: { readonly of: Change }) {
  const fields =
    RESOURCES.find(({ name }) => name === (resource as ResourceName))?.fields ??
    (resource === TEMPLATES ? TEMPLATE_FIELDS : []);
  const changed = fields.filter(
    ({ name }) =>
      JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after?.[name] ?? null) &&
      (isFilled(before?.[name]) || isFilled(after?.[name])),
  );
  return (
    <ul class="plain changes">
      {changed.map((field) => (
        <li key={field.name}>
          <span class="soft">{tOr(`field.${field.name}`, field.name)}:</span>{" "}
          {describeFieldChange(field, before, after)}
        </li>
      ))}
    </ul>
  );
}

/** Change log of all resources, including deleted ones. For managers. */
export default function ResourceChangeLog() {
  const users = useOptions("users", hasUserRight("administer"));
  const search = useSearch<ResourceChangesMessage>("/changes", NAMES);
  return (
    <main>
      <SettingsCrumbs />
      <h1>{t("changesPage")}</h1>
      <p class="soft">{t("changesHelp")}</p>
      <ListFilterForm filters={createFilters(users)} />
      <ListSearchResults search={search} empty={t("noChanges")} none={t("noEventSo")}>
        {(rows) => (
          <RowsTable
            name={t("changesPage")}
            rows={rows}
            columns={columns()}
            keyOf={({ resource, id, version }) => `${resource} ${id} ${version}`}
          />
        )}
      </ListSearchResults>
    </main>
  );
}
