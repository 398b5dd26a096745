import type { Filter } from "./api.ts";
import { VIEWS, type ViewName } from "./views.ts";

/** What a person has chosen to see. It stands in the address: a reload, a bookmark or a colleague sees the same. */
export interface Chosen {
  readonly filter: Filter;
  readonly view: ViewName;
  /** Undefined where the person has chosen none: the user's, the browser's or the account's then. */
  readonly language: string | undefined;
}

const CUSTOMER_TYPES = ["all", "individual", "legal_entity"] as const;

/** What an address says; what it does not say, or says wrongly, is as at the beginning. */
export function readChosen(query: string, thisYear: number): Chosen {
  const said = new URLSearchParams(query);
  const year = Number(said.get("year"));
  return {
    filter: {
      year: Number.isInteger(year) && year > 2000 && year <= thisYear ? year : thisYear,
      branch: said.get("branch") ?? "",
      customerType: CUSTOMER_TYPES.find((type) => type === said.get("customers")) ?? "all",
    },
    view: VIEWS.find((view) => view === said.get("view")) ?? "billing",
    language: said.get("lang") ?? undefined,
  };
}

/** The query of an address that says what is chosen. */
export function writeChosen({ filter, view, language }: Chosen): string {
  const { year, branch, customerType } = filter;
  const query = new URLSearchParams({ view, year: String(year), customers: customerType });
  if (branch !== "") query.set("branch", branch);
  if (language !== undefined) query.set("lang", language);
  return `?${query}`;
}
