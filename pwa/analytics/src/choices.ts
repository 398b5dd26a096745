import type { Filter } from "./api.ts";
import { VIEWS, type ViewName } from "./views.ts";

/** What a person has chosen to see. It stands in the address: a reload, a bookmark or a colleague sees the same. */
export interface Chosen {
  readonly filter: Filter;
  readonly view: ViewName;
  /** Undefined where the person has chosen none: the user's, the browser's or the account's then. */
  readonly language: string | undefined;
}

/** So many years are offered, this one the first. */
export const YEARS = 5;

const CUSTOMER_TYPES = ["all", "individual", "legal_entity"] as const;

/** What an address says; what it does not say, or says wrongly, is as at the beginning. */
export function readChosen(query: string, thisYear: number): Chosen {
  const queryParams = new URLSearchParams(query);
  const year = Number(queryParams.get("year"));
  return {
    filter: {
      year: Number.isInteger(year) && year > thisYear - YEARS && year <= thisYear ? year : thisYear,
      branch: queryParams.get("branch") ?? "",
      customerType: CUSTOMER_TYPES.find((type) => type === queryParams.get("customers")) ?? "all",
    },
    view: VIEWS.find((view) => view === queryParams.get("view")) ?? "billing",
    language: queryParams.get("lang") ?? undefined,
  };
}

/** The same without a branch that is not the reader's: what is shown is what the form says. */
export function withinBranches(chosen: Chosen, branches: readonly string[]): Chosen {
  const { filter } = chosen;
  return branches.includes(filter.branch) ? chosen : { ...chosen, filter: { ...filter, branch: "" } };
}

/** The query of an address that says what is chosen. */
export function writeChosen({ filter, view, language }: Chosen): string {
  const { year, branch, customerType } = filter;
  const query = new URLSearchParams({ view, year: String(year), customers: customerType });
  if (branch !== "") query.set("branch", branch);
  if (language !== undefined) query.set("lang", language);
  return `?${query}`;
}
