import "fake-indexeddb/auto";

// Browser APIs that the app's state requires in tests without a browser. Import this first.

const storedValues = new Map<string, string>();

const storage = {
  getItem: (key: string) => storedValues.get(key) ?? null,
  setItem: (key: string, value: string) => void storedValues.set(key, value),
  removeItem: (key: string) => void storedValues.delete(key),
  clear: () => storedValues.clear(),
};

/** Lists the stored names as keys, as a browser's storage does. */
const localStorage = new Proxy(storage, {
  ownKeys: () => [...storedValues.keys()],
  getOwnPropertyDescriptor: (_, name) =>
    storedValues.has(String(name))
      ? { value: storedValues.get(String(name)), enumerable: true, configurable: true }
      : undefined,
});

const page = {
  localStorage,
  sessionStorage: localStorage,
  location: { hash: "" },
  history: { state: null as unknown, replaceState },
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  matchMedia: () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }),
  document: {
    ...{ addEventListener: () => undefined, removeEventListener: () => undefined },
    ...{ documentElement: { dataset: {} }, visibilityState: "visible" },
  },
};

function replaceState(state: unknown, _title: string, address?: string): void {
  page.history.state = state;
  if (address !== undefined) page.location.hash = address;
}

for (const [name, value] of Object.entries(page)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
Object.defineProperty(navigator, "onLine", { value: true, configurable: true, writable: true });
