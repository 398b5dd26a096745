import { signal } from "@preact/signals";

const read = () => location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);

/** Where the person is: `today`, `prices-table`, or a list and what of it. */
export const route = signal<readonly string[]>(read());

addEventListener("hashchange", () => {
  route.value = read();
});

export const linkTo = (...parts: readonly (string | number)[]) =>
  `#/${parts.map((part) => encodeURIComponent(part)).join("/")}`;

export function go(...parts: readonly (string | number)[]): void {
  location.hash = linkTo(...parts);
}
