import "./page.ts";
import { type ComponentChild, options, render } from "preact";

// The part of a browser's document that Preact needs to render components in Node.

class FakeNode {
  readonly nodeType: number;
  readonly localName: string;
  readonly ownerDocument = document;
  readonly childNodes: FakeNode[] = [];
  readonly listeners = new Map<string, (event: object) => void>();
  readonly style = { setProperty: () => undefined };
  parentNode: FakeNode | null = null;
  data: string;

  constructor(localName: string, data = "") {
    this.nodeType = localName === "" ? 3 : 1;
    this.localName = localName;
    this.data = data;
  }

  get firstChild(): FakeNode | null {
    return this.childNodes[0] ?? null;
  }

  get nextSibling(): FakeNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  get textContent(): string {
    return this.data + this.childNodes.map(({ textContent }) => textContent).join("");
  }

  insertBefore(child: FakeNode, next: FakeNode | null): FakeNode {
    child.remove();
    this.childNodes.splice(next ? this.childNodes.indexOf(next) : this.childNodes.length, 0, child);
    child.parentNode = this;
    return child;
  }

  appendChild(child: FakeNode): FakeNode {
    return this.insertBefore(child, null);
  }

  removeChild(child: FakeNode): FakeNode {
    child.remove();
    return child;
  }

  remove(): void {
    const siblings = this.parentNode?.childNodes ?? [];
    if (this.parentNode) siblings.splice(siblings.indexOf(this), 1);
    this.parentNode = null;
  }

  contains(node: FakeNode | null): boolean {
    return node !== null && (node === this || this.contains(node.parentNode));
  }

  querySelector(): null {
    return null;
  }

  setAttribute(name: string, value: unknown): void {
    Object.assign(this, { [name]: value });
  }

  removeAttribute(name: string): void {
    Object.assign(this, { [name]: undefined });
  }

  addEventListener(type: string, listener: (event: object) => void): void {
    this.listeners.set(type, listener);
  }

  removeEventListener(type: string): void {
    this.listeners.delete(type);
  }

  dispatch(type: string, event: object = {}): void {
    const target = { type, target: this, currentTarget: this, preventDefault: () => undefined, ...event };
    this.listeners.get(type)?.call(this, target);
  }

  focus(): void {
    // The focus isn't rendered.
  }

  showModal(): void {
    // A rendered dialog counts as open.
  }

  close(): void {
    // A dialog is closed by removing it.
  }
}

/** Rendered components. */
export type View = ReturnType<typeof renderComponent>;

/** Returns the button with a text, if it is shown. */
export const findButton = (view: View, text: string) =>
  view.list("button").find(({ textContent }) => textContent === text);

/** Renders components and returns functions that read them. */
export function renderComponent(node: ComponentChild) {
  Object.assign(document, {
    ...{ activeElement: null, body: {} },
    createElementNS: (_space: string, localName: string) => new FakeNode(localName),
    createElement: (localName: string) => new FakeNode(localName),
    createTextNode: (text: string) => new FakeNode("", text),
  });
  options.requestAnimationFrame = (callback) => void setTimeout(callback);
  const root = new FakeNode("main");
  render(node, root as unknown as Element);
  const list = (parent: FakeNode, localName: string): readonly FakeNode[] =>
    parent.childNodes.flatMap((child) => [
      ...(child.localName === localName ? [child] : []),
      ...list(child, localName),
    ]);
  return {
    readText: () => root.textContent,
    /** Returns the elements with a name, whose attributes are their properties. */
    list: (localName: string) => list(root, localName) as readonly (FakeNode & Readonly<Record<string, unknown>>)[],
    close: () => render(null, root as unknown as Element),
  };
}
