/** Creates an element with properties and children. */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  kind: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(kind), properties);
  element.append(...inside);
  return element;
}

/** Returns the element with an id. Throws if it's missing or of another type. */
export function getElement<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${id}`);
  return element;
}
