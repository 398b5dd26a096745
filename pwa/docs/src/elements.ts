/** An element with its properties and what is in it. */
export function make<K extends keyof HTMLElementTagNameMap>(
  kind: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(kind), properties);
  element.append(...inside);
  return element;
}

/** The element of an id, of the kind that the page gives it. */
export function find<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${id}`);
  return element;
}
