import "./page.ts";
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
