import "./page.ts";
import { beforeEach, expect, test, vi } from "vitest";

const page = () => import("../../pwa/office/src/desk/submit-once.ts");

/** Reloads the page with the tab's storage. */
async function reloadPage() {
  vi.resetModules();
  return page();
}

const readSentDraft = (name: string) => sessionStorage.getItem(`office-draft:sent:${name}`);

beforeEach(() => {
  sessionStorage.clear();
});

test("resends a request under its idempotency key after a reload, and changed content under another key", async () => {
  const sale = { category_code: "A", customer: { name: "Ana" } };
  const key = (await page()).getIdempotencyKey("reservation,", sale);
  expect(readSentDraft("reservation,")).toContain(key);
  const { getIdempotencyKey: keyOf } = await reloadPage();
  expect(keyOf("reservation,", { ...sale })).toBe(key);
  expect(keyOf("transfer,", sale)).not.toBe(key);
  expect(keyOf("reservation,", { ...sale, category_code: "B" })).not.toBe(key);
});

test("stores no request that contains a password, and reuses its idempotency key only until a reload", async () => {
  const person = { username: "ana", password: "Ana-2026!" };
  const { getIdempotencyKey: keyOf } = await page();
  const key = keyOf("users,", person);
  expect(keyOf("users,", { ...person })).toBe(key);
  expect(readSentDraft("users,")).toBeNull();
  expect((await reloadPage()).getIdempotencyKey("users,", person)).not.toBe(key);
});
