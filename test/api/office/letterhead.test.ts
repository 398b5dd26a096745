import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { createJpeg, joinBytes } from "#support/images.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";

// A PNG of one pixel.
const LOGO = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let boss = "";
let desk = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  [boss, desk] = [await createToken("boss"), await createToken("desk")];
});

async function send(method: string, body?: unknown, token = boss, key?: string) {
  const response = await callOffice(method, "/letterhead", { token, body, ...(key !== undefined && { key }) });
  return { status: response.status, body: await response.json<Readonly<Record<string, unknown>>>() };
}

test("changes the letterhead's logo, colour and footer once per idempotency key, and the company page shows the logo", async () => {
  expect((await send("GET")).body).toMatchObject({ letterhead: { color: "#1f4e79", logo: null, version: 1 } });
  const change = { expected_version: 1, color: "#0b6e69", foot: "Register of Palma", logo: LOGO };
  const changed = await send("PUT", change, boss, "logo");
  expect(changed).toMatchObject({
    status: 200,
    body: { letterhead: { color: "#0b6e69", foot: "Register of Palma", logo: LOGO, version: 2 } },
  });
  expect(await send("PUT", change, boss, "logo")).toEqual(changed);
  expect(await (await requestWorker("http://acme.localhost:8787/?lang=en")).text()).toContain(LOGO);
  const removed = await send("PUT", { expected_version: 2, logo: null });
  expect(removed.body).toMatchObject({ letterhead: { logo: null, color: "#0b6e69", version: 3 } });
});

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const photo = createJpeg({ width: 90, height: 30, seed: 1 });
const place = new TextEncoder().encode("GPS 39.57N <script>");
const png = Buffer.from(LOGO, "base64");
const textChunk = joinBytes(
  Uint8Array.of(0, 0, 0, place.length),
  new TextEncoder().encode("tEXt"),
  place,
  png.subarray(-4),
);

// Proves "security.md": A40
test.each([
  [
    "JPEG",
    joinBytes(photo.subarray(0, 2), Uint8Array.of(0xff, 0xe1, 0, place.length + 2), place, photo.subarray(2)),
    photo,
  ],
  ["PNG", joinBytes(png.subarray(0, -12), textChunk, png.subarray(-12)), png],
])("removes location and text metadata from the %s logo that visitors see", async (_, uploaded, shown) => {
  expect((await send("PUT", { expected_version: 1, logo: toBase64(uploaded) })).body).toMatchObject({
    letterhead: { logo: toBase64(shown) },
  });
  const answer = await requestWorker("http://acme.localhost:8787/logo");
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array(shown));
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
});

test.each([
  ["logo", { logo: btoa("no picture at all") }],
  ["logo", { logo: "not base64!" }],
  ["logo", { logo: "A".repeat(300_000) }],
  ["color", { color: "red" }],
  ["foot", { foot: "x".repeat(501) }],
])("rejects a letterhead with a wrong %s, naming the field", async (field, change) => {
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
