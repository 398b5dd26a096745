import "./page.ts";
import { beforeEach, expect, test, vi } from "vitest";
import { announceSignOut, shareSessionBetweenTabs } from "../../pwa/shared/shared-session.ts";

const KEY = "office-token";

const createToken = (jti: string, expiresAt: number) =>
  ["head", Buffer.from(JSON.stringify({ jti, exp: expiresAt, role: "é?>" })).toString("base64url"), "sign"].join(".");

beforeEach(() => sessionStorage.clear());

test("ends a tab's session that was ended in another tab, also after its token was renewed, and no other session", async () => {
  sessionStorage.setItem(KEY, createToken("own", 2));
  const onEnded = vi.fn();
  await shareSessionBetweenTabs(KEY, onEnded);
  announceSignOut(KEY, createToken("other", 1));
  announceSignOut(KEY, createToken("own", 1));
  await vi.waitFor(() => expect(onEnded).toHaveBeenCalled());
  announceSignOut(KEY, createToken("other", 1));
  // A tab without a session has none to end.
  sessionStorage.clear();
  announceSignOut(KEY, createToken("own", 1));
  const answered = shareSessionBetweenTabs(KEY, onEnded);
  await answered;
  expect(onEnded).toHaveBeenCalledTimes(1);
});

test("signs out in all tabs without a network", async () => {
  const token = createToken("own", 1);
  sessionStorage.setItem(KEY, token);
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  const { signOut } = await import("../../pwa/office/src/api.ts");
  const other = new BroadcastChannel(`session ${KEY}`);
  const messages: unknown[] = [];
  other.onmessage = ({ data }) => messages.push(data);
  await signOut();
  await vi.waitFor(() => expect(messages).toEqual([{ ended: "own" }]));
  expect(sessionStorage.getItem(KEY)).toBeNull();
  other.close();
  vi.unstubAllGlobals();
});
