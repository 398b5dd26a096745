import { account } from "../account.ts";
import { askFor, linkTo, query } from "../route.ts";
import { type TextKey, t } from "../texts.ts";
import { Select } from "./inputs.tsx";

/** List filter. `name` is its API name and appears in the URL. */
export interface Filter {
  readonly name: string;
  readonly label: TextKey;
  readonly kind: "search" | "date" | "choice" | "check" | "customer" | "vehicle";
  readonly hint?: TextKey;
  readonly choices?: () => readonly (readonly [value: string, text: string])[];
}

export const BRANCH_FILTER: Filter = {
  name: "rental_location_code",
  label: "branch",
  kind: "choice",
  choices: () => account.value.rental_locations.map(({ code, name }) => [code, name] as const),
};
export const CATEGORY_FILTER: Filter = {
  name: "category_code",
  label: "category",
  kind: "choice",
  choices: () => account.value.categories.map(({ code, name }) => [code, name] as const),
};

/** Customer filter, set by links from the customer's page. */
export const CUSTOMER_FILTER: Filter = { name: "customer_id", label: "customer", kind: "customer" };

/** Vehicle filter, set by links from the vehicle's page. */
export const VEHICLE_FILTER: Filter = { name: "booking_item_reference", label: "expense.vehicle", kind: "vehicle" };

const PLACES = { customer: "customers", vehicle: "fleet" } as const;

const getFilterValue = (name: string) => query.value.get(name) ?? "";

/** Filter form that stores its values in the URL, for bookmarks, sharing and the Back button. */
export function Filters({ filters }: { readonly filters: readonly Filter[] }) {
  const narrowing = filters.filter(({ kind }) => kind !== "search").map(({ name }) => name);
  const isFiltered = narrowing.some((name) => getFilterValue(name) !== "");
  return (
    <search class="filters">
      {filters.map((filter) => (
        <FilterInput key={filter.name} filter={filter} />
      ))}
      {isFiltered && (
        <button type="button" onClick={() => askFor(Object.fromEntries(narrowing.map((name) => [name, undefined])))}>
          {t("clearFilters")}
        </button>
      )}
    </search>
  );
}

function FilterInput({ filter: { name, label, kind, hint, choices } }: { readonly filter: Filter }) {
  const value = getFilterValue(name);
  const handleInput = (event: { readonly currentTarget: { readonly value: string } }) =>
    askFor({ [name]: event.currentTarget.value });
  if (kind === "customer" || kind === "vehicle")
    return value === "" ? null : (
      <a class="button" href={linkTo(PLACES[kind], value)}>
        {t(label)} {value}
      </a>
    );
  if (kind === "check")
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value === "true"}
          onChange={(event) => askFor({ [name]: event.currentTarget.checked ? "true" : undefined })}
        />
        {t(label)}
      </label>
    );
  if (kind === "search")
    return (
      <label class="wide">
        {t(label)}
        <input type="search" name={name} value={value} placeholder={hint && t(hint)} onInput={handleInput} />
      </label>
    );
  if (kind === "date")
    return (
      <label>
        {t(label)}
        <input type="date" name={name} value={value} onChange={handleInput} />
      </label>
    );
  return (
    <label>
      {t(label)}
      <Select
        name={name}
        value={value}
        none={t("all")}
        choices={choices?.() ?? []}
        onChange={(chosen) => askFor({ [name]: chosen })}
      />
    </label>
  );
}
