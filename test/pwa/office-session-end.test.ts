import "./page.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  endSession,
  isSessionExpired,
  isSessionOpen,
  sendOfficeRequest,
  TOKEN_STORAGE_KEY,
} from "../../pwa/office/src/api.ts";

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({}, { status: 401 })));
  endSession();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const openSession = () => {
  sessionStorage.setItem(TOKEN_STORAGE_KEY, "token");
  isSessionOpen.value = true;
};

test("marks a session as expired if the server ends it, so that the sign-in page gives the reason", async () => {
  openSession();
  await sendOfficeRequest("GET", "/api/v1/office/customers");
  expect([isSessionOpen.value, isSessionExpired.value]).toEqual([false, true]);
});

test("marks no session as expired if the user signs out or types a wrong password", async () => {
  openSession();
  endSession();
  expect([isSessionOpen.value, isSessionExpired.value]).toEqual([false, false]);
  await sendOfficeRequest("POST", "/api/v1/login");
  expect(isSessionExpired.value).toBe(false);
});
