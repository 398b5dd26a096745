import { beforeEach, expect, test } from "vitest";
import { aCompany } from "#support/company.ts";
import { office } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/people.ts";
import { request } from "#support/worker.ts";

// A PNG of one pixel.
const LOGO = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let boss = "";
let desk = "";

beforeEach(async () => {
  await aCompany();
  await addTestUsers();
  [boss, desk] = [await createToken("boss"), await createToken("desk")];
});

async function send(method: string, body?: unknown, token = boss, key?: string) {
  const response = await office(method, "/letterhead", { token, body, ...(key !== undefined && { key }) });
  return { status: response.status, body: await response.json<Readonly<Record<string, unknown>>>() };
}

test("changes the letterhead's logo, colour and footer once per key, and the company page shows the logo", async () => {
  expect((await send("GET")).body).toMatchObject({ letterhead: { color: "#1f4e79", logo: null, version: 1 } });
  const change = { expected_version: 1, color: "#0b6e69", foot: "Register of Palma", logo: LOGO };
  const changed = await send("PUT", change, boss, "logo");
  expect(changed).toMatchObject({
    status: 200,
    body: { letterhead: { color: "#0b6e69", foot: "Register of Palma", logo: LOGO, version: 2 } },
  });
  expect(await send("PUT", change, boss, "logo")).toEqual(changed);
  expect(await (await request("http://acme.localhost:8787/?lang=en")).text()).toContain(LOGO);
  const removed = await send("PUT", { expected_version: 2, logo: null });
  expect(removed.body).toMatchObject({ letterhead: { logo: null, color: "#0b6e69", version: 3 } });
});

test.each([
  ["logo", { logo: btoa("no picture at all") }],
  ["logo", { logo: "not base64!" }],
  ["logo", { logo: "A".repeat(300_000) }],
  ["color", { color: "red" }],
  ["foot", { foot: "x".repeat(501) }],
])("rejects a wrong %s of the letterhead", async (field, change) => {
  const refused = await send("PUT", { expected_version: 1, ...change });
  expect(refused).toMatchObject({ status: 400, body: { detail: [{ field }] } });
});

test("lets only administrators change the letterhead, and rejects an outdated version", async () => {
  expect((await send("PUT", { expected_version: 1, color: "#000000" }, desk)).status).toBe(403);
  expect((await send("PUT", { expected_version: 1, color: "#000000" })).status).toBe(200);
  expect(await send("PUT", { expected_version: 1, color: "#ffffff" })).toMatchObject({
    status: 409,
    body: { code: "changed_meanwhile", letterhead: { color: "#000000", version: 2 } },
  });
});
