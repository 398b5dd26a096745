import "./page.ts";
import { createElement } from "preact";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type ListSearchState, useSearch } from "../../pwa/office/src/desk/search.tsx";
import { showDeferredNotice } from "../../pwa/office/src/desk/submit-once.ts";
import { replaceQueryValues, replaceRoute, route, saveLoadedRowCount, urlQuery } from "../../pwa/office/src/route.ts";
import { loadTexts } from "../../pwa/office/src/texts.ts";
import { renderComponent } from "./render.ts";

const sizes: string[] = [];
let isOnline = true;
let search: ListSearchState<unknown> | undefined;

function Search() {
  search = useSearch("/reservations", ["q"]);
  return null;
}

beforeAll(() => loadTexts("en"));

beforeEach(() => {
  isOnline = true;
  Object.assign(location, { hash: "#/reservations" });
  route.value = ["reservations"];
  urlQuery.value = new URLSearchParams();
  Object.assign(history, { state: { isSeen: true } });
  vi.stubGlobal("fetch", (path: string) => {
    const size = new URLSearchParams(path.split("?")[1]).get("page_size") ?? "";
    sizes.push(size);
    if (!isOnline) return Promise.reject(new TypeError("no network"));
    const data = Array.from({ length: Number(size) }, (_, id) => ({ id }));
    return Promise.resolve(Response.json({ data, total: 500, next: "cursor" }));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  sizes.length = 0;
});

test("loads as many rows as before when a failed first load is retried", async () => {
  saveLoadedRowCount(100);
  isOnline = false;
  const view = renderComponent(createElement(Search, {}));
  await vi.waitFor(() => expect(search?.problem).not.toBe(""));
  isOnline = true;
  search?.retry?.();
  await vi.waitFor(() => expect(search?.result?.rows).toHaveLength(100));
  expect([sizes, history.state]).toEqual([["100", "100"], { isSeen: true, rows: 100 }]);
  view.close();
});

test("loads as many rows as before after a form finished in the background, and one page of another search", async () => {
  saveLoadedRowCount(100);
  const view = renderComponent(createElement(Search, {}));
  await vi.waitFor(() => expect(search?.result?.rows).toHaveLength(100));
  showDeferredNotice("Saved");
  await vi.waitFor(() => expect(sizes).toEqual(["100", "100"]));
  replaceQueryValues({ q: "ana" });
  await vi.waitFor(() => expect(sizes).toEqual(["100", "100", "50"]));
  view.close();
});

test("forgets a list's number of loaded rows if another page replaces the list", () => {
  saveLoadedRowCount(100);
  replaceQueryValues({ q: "ana" });
  expect(history.state).toEqual({ isSeen: true, rows: 100 });
  replaceRoute("opening-week", "PMI");
  expect(history.state).toEqual({ isSeen: true });
});
