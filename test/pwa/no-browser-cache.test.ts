import "./page.ts";
import { globSync, readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { fetchFile, sendOfficeRequest } from "../../pwa/office/src/api.ts";

afterEach(() => vi.unstubAllGlobals());

// Proves "customer-access.md: tokens and limits": The office reads nothing from what the browser kept
// Proves "security.md": A30
test("bypasses the browser cache for staff data, so no earlier user's data appears", async () => {
  const caches: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { cache }: RequestInit) => {
    caches.push(cache);
    return Response.json({});
  });
  await sendOfficeRequest("GET", "/api/v1/booking/delivery-collection-app-settings");
  await fetchFile("/api/v1/booking/7/check-in-files/photo");
  expect(caches).toEqual(["no-store", "no-store"]);
});

// Proves "security.md": A30
test("bypasses the browser cache for each read of the apps", () => {
  const sources = globSync("pwa/{office,check-in,shared}/**/*.{ts,tsx}").filter((path) => !path.includes("/dist/"));
  const calls = sources.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    return [...text.matchAll(/\bfetch\(/g)].map(({ index }) => ({ path, call: text.slice(index, index + 220) }));
  });
  expect(calls.length).toBeGreaterThan(5);
  // The service worker loads the app's own files.
  const cached = calls.filter(({ path, call }) => !/"no-store"|"PUT"/.test(call) && !path.endsWith("/sw.ts"));
  expect(cached).toEqual([]);
});
