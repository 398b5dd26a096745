import { signal } from "@preact/signals";
import { decoded } from "#shared/decoded.ts";

const hash = () => location.hash.replace(/^#\/?/, "");
const readParts = () => (hash().split("?")[0] ?? "").split("/").map(decoded);
const readQuery = () => new URLSearchParams(hash().split("?")[1] ?? "");

/** Where the person is: `today`, `prices-table`, or a list and what of it. */
export const route = signal<readonly string[]>(readParts());

/** What of it is looked for: it stands in the address, so that it can be kept, sent and gone back to. */
export const query = signal(readQuery());

// A place that was not seen begins at its top; one that is gone back to stands where it was left.
const SEEN_STATE = { isSeen: true };
history.replaceState(SEEN_STATE, "");
addEventListener("hashchange", () => {
  if (history.state === null) {
    history.replaceState(SEEN_STATE, "");
    scrollTo(0, 0);
  }
  route.value = readParts();
  query.value = readQuery();
});

export type Query = Readonly<Record<string, string | number | undefined>>;

/** The address of a place of the office. */
export const linkTo = (...parts: readonly (string | number)[]) =>
  `#/${parts.map((part) => encodeURIComponent(part)).join("/")}`;

/** The same with what is looked for there. */
export function linkWith(queryValues: Query, ...parts: readonly (string | number)[]): string {
  const text = queryText(queryValues);
  return text === "" ? linkTo(...parts) : `${linkTo(...parts)}?${text}`;
}

export function go(...parts: readonly (string | number)[]): void {
  location.hash = linkTo(...parts);
}

/** In place of where the person is, without a step to go back to. */
export function replaceRoute(...parts: readonly (string | number)[]): void {
  history.replaceState(history.state, "", linkTo(...parts));
  route.value = readParts();
}

/** Says otherwise what is looked for, without a step to go back to. */
export function askFor(queryValues: Query): void {
  // Somebody is on their way to another place, which is asked for nothing by the one that they leave.
  if (linkTo(...readParts()) !== linkTo(...route.value)) return;
  const now = Object.fromEntries(query.value);
  history.replaceState(history.state, "", linkWith({ ...now, ...queryValues }, ...route.value));
  query.value = readQuery();
}

function queryText(queryValues: Query): string {
  const queryPairs = Object.entries(queryValues).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(queryPairs).toString();
}
