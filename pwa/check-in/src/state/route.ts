import { signal } from "@preact/signals";
import { decodeUrlComponent } from "#shared/decode-url.ts";

/** Current route: `#/booking/12` → ["booking", "12"]. */
export const route = signal<readonly string[]>(read());

function read(): readonly string[] {
  const parts = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeUrlComponent);
  return parts.length === 0 ? ["day"] : parts;
}

export const toHref = (...parts: readonly (string | number)[]) =>
  `#/${parts.map((part) => encodeURIComponent(part)).join("/")}`;

export function openRoute(...parts: readonly (string | number)[]): void {
  location.hash = toHref(...parts);
}

/** Replaces the current route, so that Back doesn't return to it. */
export function replaceRoute(...parts: readonly (string | number)[]): void {
  history.replaceState(null, "", toHref(...parts));
  route.value = read();
}

/** Whether the app is locked. Pending work is still sent. */
export const isAppLocked = signal(false);

/**
 * Returns a function that checks whether the user is still on this page with the app unlocked. Late responses must not
 * navigate.
 */
export function createSamePageCheck(): () => boolean {
  const initialHash = location.hash;
  return () => location.hash === initialHash && !isAppLocked.peek();
}

/** Whether the screen shows open work, which a reload would interrupt, such as a stroke of a signature. */
export const isWorkScreen = () => ["work", "walk-in"].includes(route.value[0] ?? "");

/** Resolves at once, or with the next change of the route if the screen shows open work. */
export async function waitUntilWorkIsLeft(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const start = route.peek();
  const end = route.subscribe((next) => {
    if (next !== start || !isWorkScreen()) resolve();
  });
  await promise;
  end();
}

/** Scroll positions of the main screens. Steps and bookings start at the top. */
const scrollPositions = new Map<string, number>();
const MAIN: readonly string[] = ["day", "outbox", "office", "more"];

export const getScrollPosition = ([place = "day"]: readonly string[]): number => scrollPositions.get(place) ?? 0;

addEventListener("hashchange", () => {
  const [place = "day"] = route.peek();
  if (MAIN.includes(place)) scrollPositions.set(place, scrollY);
  route.value = read();
});
