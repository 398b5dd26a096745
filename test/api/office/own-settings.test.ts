import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
});

const readLanguage = (username: string) =>
  env.TENANT_ACME.prepare("SELECT language FROM users WHERE username = ?").bind(username).first("language");

test("lets any user change their own language, and no other user's", async () => {
  const before = await readLanguage("boss");
  const token = await createToken("desk");
  const change = (body: object) => callOffice("PATCH", "/me", { token, body });
  const changed = await change({ language: "de" });
  expect([changed.status, await changed.json()]).toEqual([200, { language: "de", theme: null }]);
  expect([await readLanguage("desk"), await readLanguage("boss")]).toEqual(["de", before]);
  expect((await change({ language: null })).status).toBe(200);
  expect(await readLanguage("desk")).toBeNull();
});

test("stores a user's theme next to the language, for all of the user's devices", async () => {
  const token = await createToken("desk");
  const change = async (body: object) => (await callOffice("PATCH", "/me", { token, body })).json();
  const readTheme = async () => {
    const answer = await requestWorker("http://acme.localhost:8787/api/v1/booking/delivery-collection-app-settings", {
      headers: { Authorization: token },
    });
    return (await answer.json<{ readonly user: { readonly theme: string | null } }>()).user.theme;
  };
  await change({ language: "de" });
  expect(await readTheme()).toBeNull();
  expect(await change({ theme: "dark" })).toEqual({ language: "de", theme: "dark" });
  expect(await readTheme()).toBe("dark");
  expect(await change({ language: null })).toEqual({ language: null, theme: "dark" });
  expect(await change({ theme: null })).toEqual({ language: null, theme: null });
  expect(await (await callOffice("PATCH", "/me", { token, body: { theme: "blue" } })).text()).toContain("theme");
});

test("rejects an unsupported language, other fields and unauthenticated calls in a user's own settings", async () => {
  const token = await createToken("desk");
  const rejectedResponse = await callOffice("PATCH", "/me", { token, body: { language: "fi" } });
  expect([rejectedResponse.status, JSON.stringify(await rejectedResponse.json())]).toEqual([
    400,
    expect.stringContaining("language"),
  ]);
  expect((await callOffice("PATCH", "/me", { token, body: { language: "de", role: "administrator" } })).status).toBe(
    400,
  );
  expect((await callOffice("PATCH", "/me", { token: "nonsense", body: { language: "de" } })).status).toBe(401);
});

test("returns category names in the user's language", async () => {
  const token = await createToken("boss");
  const read = async () => {
    const answer = await requestWorker("http://acme.localhost:8787/api/v1/booking/delivery-collection-app-settings", {
      headers: { Authorization: token },
    });
    const { categories } = await answer.json<{ readonly categories: readonly { code: string; name: string }[] }>();
    return categories.find(({ code }) => code === "A")?.name;
  };
  expect(await read()).toBe("Kleinwagen");
  await callOffice("PATCH", "/me", { token, body: { language: "ca" } });
  expect(await read()).toBe("Coche pequeño");
});
