import { signal } from "@preact/signals";
import { decoded } from "#shared/decoded.ts";

/** Where the person is, `#/booking/12` → ["booking", "12"]. */
export const route = signal<readonly string[]>(read());

function read(): readonly string[] {
  const parts = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decoded);
  return parts.length === 0 ? ["day"] : parts;
}

export const toHref = (...parts: readonly (string | number)[]) =>
  `#/${parts.map((part) => encodeURIComponent(part)).join("/")}`;

export function go(...parts: readonly (string | number)[]): void {
  location.hash = toHref(...parts);
}

/** In place of where the person is: back does not lead here again. */
export function replaceRoute(...parts: readonly (string | number)[]): void {
  history.replaceState(null, "", toHref(...parts));
  route.value = read();
}

/** Nothing is shown until it is opened; what waits is sent meanwhile. */
export const isLocked = signal(false);

/** Tells from now on whether the person is still there and the app open: what is answered late moves nobody. */
export function trackCurrentRoute(): () => boolean {
  const initialHash = location.hash;
  return () => location.hash === initialHash && !isLocked.peek();
}

/** How far down the main places were left; a step and a booking begin at their top. */
const initialHash = new Map<string, number>();
const MAIN: readonly string[] = ["day", "outbox", "office", "more"];

export const scrolledTo = ([place = "day"]: readonly string[]): number => initialHash.get(place) ?? 0;

addEventListener("hashchange", () => {
  const [place = "day"] = route.peek();
  if (MAIN.includes(place)) initialHash.set(place, scrollY);
  route.value = read();
});
