import "./page.ts";
import { createElement } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setAccount } from "../../pwa/office/src/account.ts";
import { readFormDraft } from "../../pwa/office/src/pages/form-drafts.ts";
import LetterheadPage from "../../pwa/office/src/pages/letterhead.tsx";
import { OfficialCodeMapping } from "../../pwa/office/src/pages/ministry-reports/codes.tsx";
import OpeningWeek from "../../pwa/office/src/pages/opening-week.tsx";
import { loadTexts } from "../../pwa/office/src/texts.ts";
import { findButton, renderComponent, type View } from "./render.ts";

const RESTORED = "We restored your unsaved changes.";

const requests: unknown[] = [];
let answer: (method: string) => readonly [status: number, body: object];

beforeEach(async () => {
  Object.assign(document, { documentElement: { dataset: {}, lang: "en" } });
  sessionStorage.clear();
  requests.length = 0;
  setAccount({ user: { full_name: "Staff", role: "administrator", language: "en" } });
  await loadTexts("en");
  vi.stubGlobal("fetch", (_path: string, { method, body }: { readonly method: string; readonly body?: string }) => {
    if (body !== undefined) requests.push(JSON.parse(body));
    const [status, content] = answer(method);
    return Promise.resolve(Response.json(content, { status }));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Whether a button is disabled. Undefined if it isn't shown. */
const isDisabled = (view: View, text: string) => findButton(view, text)?.["disabled"];

const type = (view: View, element: "input" | "textarea", name: string, value: string) =>
  view
    .list(element)
    .find((input) => input["aria-label"] === name || input["name"] === name)
    ?.dispatch("input", { currentTarget: { value } });

const time = (weekday: number, opens: string) => ({ weekday, opens, closes: "19:00" });

test("shows another user's opening hours before they are overwritten, keeps theirs of other days, also after Reload", async () => {
  const before = { rental_location_code: "PMI", version: 3, times: [time(1, "09:00"), time(2, "09:00")] };
  const theirs = { ...before, version: 4, times: [time(1, "08:00"), time(2, "10:00")] };
  let stored = before;
  answer = (method) =>
    method === "GET" ? [200, { week: stored }] : [409, { code: "changed_meanwhile", week: stored }];
  const open = () => renderComponent(createElement(OpeningWeek, { path: ["PMI"] }));
  const view = open();
  await vi.waitFor(() => expect(view.readText()).toContain("Monday"));
  expect(view.readText()).not.toContain(RESTORED);
  type(view, "input", "Monday: opens", "05:20");
  await vi.waitFor(() => expect(readFormDraft("opening-week", "PMI")).toHaveProperty("times"));
  stored = theirs;
  view.list("form")[0]?.dispatch("submit");
  await vi.waitFor(() => expect(view.readText()).toContain("Saved by someone else: 08:00–19:00"));
  expect(view.readText()).not.toContain("Saved by someone else: 10:00–19:00");
  view.close();
  const reloaded = open();
  await vi.waitFor(() => expect(reloaded.readText()).toContain("Saved by someone else: 08:00–19:00"));
  expect(reloaded.readText()).toContain(RESTORED);
  reloaded.list("form")[0]?.dispatch("submit");
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  expect(requests).toEqual([
    { expected_version: 3, times: [time(1, "05:20"), time(2, "09:00")] },
    { expected_version: 4, times: [time(1, "05:20"), time(2, "10:00")] },
  ]);
  // Nothing is discarded while it is being saved.
  expect(isDisabled(reloaded, "Discard changes")).toBe(true);
  await vi.waitFor(() => expect(isDisabled(reloaded, "Discard changes")).toBe(false));
  findButton(reloaded, "Discard changes")?.dispatch("click");
  await vi.waitFor(() => expect(isDisabled(reloaded, "Discard changes")).toBeUndefined());
  expect(readFormDraft("opening-week", "PMI")).toEqual({});
  reloaded.close();
});

test("restores a letterhead's draft with its version and a notice, shows another user's values, and discards it", async () => {
  let stored = { color: "#112233", foot: "Palma", logo: null, version: 5 };
  answer = (method) =>
    method === "GET" ? [200, { letterhead: stored }] : [409, { code: "changed_meanwhile", letterhead: stored }];
  const view = renderComponent(createElement(LetterheadPage, {}));
  await vi.waitFor(() => expect(view.list("textarea")).toHaveLength(1));
  type(view, "textarea", "foot", "Registro de Palma");
  await vi.waitFor(() => expect(readFormDraft("letterhead", "")).toEqual({ foot: "Registro de Palma", version: 5 }));
  view.close();
  stored = { ...stored, foot: "Registro de Inca", version: 6 };
  const reloaded = renderComponent(createElement(LetterheadPage, {}));
  await vi.waitFor(() => expect(reloaded.readText()).toContain(RESTORED));
  reloaded.list("form")[0]?.dispatch("submit");
  await vi.waitFor(() => expect(reloaded.readText()).toContain("Saved by someone else: Registro de Inca"));
  expect(requests).toEqual([{ expected_version: 5, foot: "Registro de Palma" }]);
  findButton(reloaded, "Discard changes")?.dispatch("click");
  await vi.waitFor(() => expect(reloaded.readText()).not.toContain("Saved by someone else"));
  expect(readFormDraft("letterhead", "")).toEqual({});
  reloaded.close();
});

test("tells that chosen official codes were restored, and discards them", async () => {
  sessionStorage.setItem("office-draft:ministry-codes:", JSON.stringify({ "brand:Seat": "51" }));
  answer = () => [200, { lists: [], words: [], others: {} }];
  const view = renderComponent(createElement(OfficialCodeMapping, {}));
  await vi.waitFor(() => expect(view.readText()).toContain(RESTORED));
  findButton(view, "Discard changes")?.dispatch("click");
  await vi.waitFor(() => expect(view.readText()).not.toContain(RESTORED));
  expect(readFormDraft("ministry-codes", "")).toEqual({});
  view.close();
});
