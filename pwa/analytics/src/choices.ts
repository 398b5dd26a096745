import type { Filter } from "./api.ts";
import { VIEWS, type ViewName } from "./views.ts";

/** The user's current selection, stored in the URL so that reloads, bookmarks and shared links show the same view. */
export interface Chosen {
  readonly filter: Filter;
  readonly view: ViewName;
  /** Undefined if not chosen. The default is the language of the user, the browser or the account, in this order. */
  readonly language: string | undefined;
}

/** Number of years to choose from, ending with the current one. */
export const YEARS = 5;

const CUSTOMER_TYPES = ["all", "individual", "legal_entity"] as const;

/** Parses the query of the URL. Missing or invalid values get their defaults. */
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

/** Removes a branch that the user may not see, so that the data matches the form. */
export function withinBranches(chosen: Chosen, branches: readonly string[]): Chosen {
  const { filter } = chosen;
  return branches.includes(filter.branch) ? chosen : { ...chosen, filter: { ...filter, branch: "" } };
}

/** Returns the URL query for a selection. */
export function writeChosen({ filter, view, language }: Chosen): string {
  const { year, branch, customerType } = filter;
  const query = new URLSearchParams({ view, year: String(year), customers: customerType });
  if (branch !== "") query.set("branch", branch);
  if (language !== undefined) query.set("lang", language);
  return `?${query}`;
}
