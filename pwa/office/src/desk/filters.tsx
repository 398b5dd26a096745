import { useState } from "preact/hooks";
import { MAX_DATE } from "#shared/max-date.ts";
import { account, listCategoryChoices } from "../account.ts";
import { Icon } from "../icons.tsx";
import { linkTo, replaceQueryValues, urlQuery } from "../route.ts";
import { type TextKey, t } from "../texts.ts";
import { BRANCH_PARAMETER, chosenBranchCode } from "./chosen-branch.ts";
import { CheckBox, Select } from "./inputs.tsx";
import { Sheet } from "./sheet.tsx";
import { DESKTOP_SCREEN, useMediaQuery } from "./use-media-query.ts";

/** List filter. `name` is its API name and appears in the URL. */
export interface ListFilter {
  readonly name: string;
  readonly label: TextKey;
  readonly kind: "search" | "date" | "choice" | "check" | "customer" | "vehicle";
  readonly hint?: TextKey;
  /** Whether the filter is hidden until it's opened on demand or has a value. */
  readonly isRare?: boolean;
  /** Whether the list needs a value, so that small screens show the filter outside the sheet, too. */
  readonly isRequired?: boolean;
  readonly choices?: () => readonly (readonly [value: string, text: string])[];
}

export const BRANCH_FILTER: ListFilter = {
  name: "rental_location_code",
  label: "branch",
  kind: "choice",
  choices: () => account.value.rental_locations.map(({ code, name }) => [code, name] as const),
};
export const CATEGORY_FILTER: ListFilter = {
  name: "category_code",
  label: "category",
  kind: "choice",
  choices: listCategoryChoices,
};

/** Customer filter, set by links from the customer's page. */
export const CUSTOMER_FILTER: ListFilter = { name: "customer_id", label: "customer", kind: "customer" };

/** Vehicle filter, set by links from the vehicle's page. */
export const VEHICLE_FILTER: ListFilter = { name: "booking_item_reference", label: "expense.vehicle", kind: "vehicle" };

const PLACES = { customer: "customers", vehicle: "fleet" } as const;

const getFilterValue = (name: string) => urlQuery.value.get(name) ?? "";

/**
 * Filter form that stores its values in the URL, for bookmarks, sharing and the Back button. Filters are in one row,
 * with rare ones on demand. On small screens, all of them are in a sheet.
 */
export function ListFilterForm({ filters }: { readonly filters: readonly ListFilter[] }) {
  // If the branch is chosen in the page's header, its filter is omitted.
  const isInHeader = chosenBranchCode.value !== "" && !urlQuery.value.has(BRANCH_PARAMETER);
  const narrowing = filters.filter(({ kind, name }) => kind !== "search" && !(isInHeader && name === BRANCH_PARAMETER));
  const active = narrowing.filter(({ name }) => getFilterValue(name) !== "");
  const isWide = useMediaQuery("(min-width: 700px)");
  const isDesktop = useMediaQuery(DESKTOP_SCREEN);
  const [isOpen, setOpen] = useState(false);
  // Dates need the most space, so a small screen shows them on demand.
  const isRare = ({ isRare = false, kind }: ListFilter) => isRare || (kind === "date" && !isDesktop);
  const isShown = (filter: ListFilter) =>
    filter.isRequired || (isWide && (isOpen || !isRare(filter) || active.includes(filter)));
  const clearButton = active.length > 0 && (
    <button
      type="button"
      class="quiet"
      onClick={() => replaceQueryValues(Object.fromEntries(narrowing.map(({ name }) => [name, undefined])))}
    >
      {t("clearFilters")}
    </button>
  );
  return (
    <search class="narrowing">
      {filters.map((filter) => (filter.kind === "search" ? <SearchInput key={filter.name} filter={filter} /> : null))}
      {narrowing.filter(isShown).map((filter) => (
        <FilterInput key={filter.name} filter={filter} />
      ))}
      {(isOpen || !narrowing.every(isShown)) && (
        <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {getUnfoldText({ isOpen, isWide, active: active.length })}
        </button>
      )}
      {isWide && clearButton}
      {isOpen && !isWide && (
        <Sheet title={t("filters")} onClose={() => setOpen(false)}>
          {narrowing.map((filter) => (
            <FilterInput key={filter.name} filter={filter} />
          ))}
          <div class="foot">
            {clearButton}
            <button type="button" class="main" onClick={() => setOpen(false)}>
              {t("showResults")}
            </button>
          </div>
        </Sheet>
      )}
    </search>
  );
}

interface Unfolding {
  readonly isOpen: boolean;
  readonly isWide: boolean;
  readonly active: number;
}

function getUnfoldText({ isOpen, isWide, active }: Unfolding): string {
  if (isWide) return t(isOpen ? "fewerFilters" : "moreFilters");
  return active > 0 ? t("filtersActive", { n: active }) : t("filters");
}

function SearchInput({ filter: { name, label, hint } }: { readonly filter: ListFilter }) {
  return (
    <label class="searched">
      <span class="unseen">{t(label)}</span>
      <input
        type="search"
        name={name}
        value={getFilterValue(name)}
        placeholder={hint && t(hint)}
        onInput={({ currentTarget: { value } }) => replaceQueryValues({ [name]: value })}
      />
    </label>
  );
}

function FilterInput({ filter }: { readonly filter: ListFilter }) {
  const { name, label, kind } = filter;
  const value = getFilterValue(name);
  if ((kind === "customer" || kind === "vehicle") && value === "") return null;
  return (
    <span class="chip" data-active={value !== ""}>
      <ChipContent filter={filter} value={value} />
      {value !== "" && kind !== "check" && (
        <button type="button" class="remove" onClick={() => replaceQueryValues({ [name]: undefined })}>
          <span class="unseen">{t("removeFilter", { name: t(label) })}</span>
          <Icon name="close" isSmall />
        </button>
      )}
    </span>
  );
}

function ChipContent({ filter, value }: { readonly filter: ListFilter; readonly value: string }) {
  const { name, label, kind, choices } = filter;
  switch (kind) {
    case "customer":
    case "vehicle":
      return (
        <a href={linkTo(PLACES[kind], value)}>
          {t(label)} {value}
        </a>
      );
    case "check":
      return (
        <CheckBox
          label={t(label)}
          checked={value === "true"}
          onChange={(isChecked) => replaceQueryValues({ [name]: isChecked ? "true" : undefined })}
        />
      );
    case "date":
      return (
        <label>
          <span>{t(label)}</span>
          <input
            type="date"
            max={MAX_DATE}
            name={name}
            value={value}
            onChange={({ currentTarget }) => replaceQueryValues({ [name]: currentTarget.value })}
          />
        </label>
      );
    default:
      return (
        <label>
          <span class="unseen">{t(label)}</span>
          <Select
            name={name}
            value={value}
            none={t("allOf", { name: t(label) })}
            choices={choices?.() ?? []}
            onChange={(chosen) => replaceQueryValues({ [name]: chosen })}
          />
        </label>
      );
  }
}
