import { signal } from "@preact/signals";
import { decodeUrlComponent } from "#shared/decode-url.ts";

const hash = () => location.hash.replace(/^#\/?/, "");
const readParts = () => (hash().split("?")[0] ?? "").split("/").map(decodeUrlComponent);
const readQuery = () => new URLSearchParams(hash().split("?")[1] ?? "");

/** Current page: `today`, `prices-table`, or a list with a record. */
export const route = signal<readonly string[]>(readParts());

/** Query of the URL, so that searches can be bookmarked, shared and restored with Back. */
export const urlQuery = signal(readQuery());

// New pages start at the top. Pages reached with Back restore their scroll position.
const SEEN_STATE = { isSeen: true };
if (history.state === null) history.replaceState(SEEN_STATE, "");
addEventListener("hashchange", () => {
  if (history.state === null) {
    history.replaceState(SEEN_STATE, "");
    scrollTo(0, 0);
  }
  route.value = readParts();
  urlQuery.value = readQuery();
});

/** Returns the number of loaded rows that the history stores with the current page. Zero if it stores none. */
export const readLoadedRowCount = (): number => Number((history.state as { readonly rows?: number } | null)?.rows ?? 0);

/** Stores the number of loaded rows with the current page, so that Reload and Back load as many. */
export function saveLoadedRowCount(rows: number): void {
  history.replaceState({ ...SEEN_STATE, rows }, "");
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/** Returns the URL of an office page. */
export const linkTo = (...parts: readonly (string | number)[]) =>
  `#/${parts.map((part) => encodeURIComponent(part)).join("/")}`;

/** Returns the URL of an office page with a query. */
export function linkToWithQuery(queryValues: Query, ...parts: readonly (string | number)[]): string {
  const text = queryText(queryValues);
  return text === "" ? linkTo(...parts) : `${linkTo(...parts)}?${text}`;
}

/** Queries of lists that open with what comes next. */
const LIST_QUERIES: Readonly<Record<string, Query>> = { reservations: { view: "upcoming", sort: "date_from" } };

/** Returns the URL of a list as the menu opens it. */
export const linkToList = (list: string) => linkToWithQuery(LIST_QUERIES[list] ?? {}, list);

export function goToPage(...parts: readonly (string | number)[]): void {
  location.hash = linkTo(...parts);
}

/** Replaces the current page in the history. The number of loaded rows belongs to the replaced page only. */
export function replaceRoute(...parts: readonly (string | number)[]): void {
  history.replaceState(SEEN_STATE, "", linkTo(...parts));
  route.value = readParts();
}

/** Replaces the query in the history. */
export function replaceQueryValues(queryValues: Query): void {
  // The user is navigating away, so the old page must not change the new URL.
  if (linkTo(...readParts()) !== linkTo(...route.value)) return;
  const now = Object.fromEntries(urlQuery.value);
  history.replaceState(history.state, "", linkToWithQuery({ ...now, ...queryValues }, ...route.value));
  urlQuery.value = readQuery();
}

/** Replaces the whole query in the history. */
export function replaceQuery(text: string): void {
  history.replaceState(
    history.state,
    "",
    linkToWithQuery(Object.fromEntries(new URLSearchParams(text)), ...route.value),
  );
  urlQuery.value = readQuery();
}

function queryText(queryValues: Query): string {
  const queryPairs = Object.entries(queryValues).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(queryPairs).toString();
}
