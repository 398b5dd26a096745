import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { createHeic, createJpeg, createPng, createWebp, OTHER_IMAGES } from "#support/images.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { copyFilesToBackup } from "#worker/usecases/operations/copy-files.ts";

type Row = Readonly<Record<string, unknown>>;
const db = env.TENANT_ACME;
const HOST = "http://acme.localhost:8787";
const PNG = createPng({ width: 6, height: 4 });
let boss = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  const { objects } = await env.FILES.list({ prefix: "t/acme/photos/" });
  await env.FILES.delete(objects.map(({ key }) => key));
  boss = await createToken("boss");
});

const send = (bytes: Uint8Array, token = boss, key?: string) =>
  callOffice("POST", "/photos", {
    token,
    body: { content: Buffer.from(bytes).toString("base64") },
    ...(key !== undefined && { key }),
  });
async function add(bytes: Uint8Array): Promise<Row> {
  const answer = await send(bytes);
  expect(answer.status).toBe(201);
  return (await answer.json<{ photo: Row }>()).photo;
}

describe("photos of the catalogue", () => {
  // Proves "office.md: lists and forms": POST /photos: public address on the company's host with long cache
  test("uploads a catalogue photo once, and serves it on the company's host with a long cache time", async () => {
    const photo = await add(PNG);
    expect(photo).toMatchObject({ content_type: "image/png" });
    expect(photo["path"]).toMatch(/^\/photos\/[0-9a-f]{64}\.png$/);
    expect(await add(PNG)).toEqual(photo);
    const answer = await requestWorker(`${HOST}${String(photo["path"])}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
    });
    expect((await answer.arrayBuffer()).byteLength).toBe(photo["bytes"]);
  });

  test("serves a catalogue photo only on its own company's host", async () => {
    const { path } = await add(PNG);
    expect((await requestWorker(`http://globex.localhost:8787${String(path)}`)).status).toBe(404);
    expect((await requestWorker(`${HOST}/photos/${"0".repeat(64)}.png`)).status).toBe(404);
    expect((await requestWorker(`${HOST}/photos/${"0".repeat(64)}.svg`)).status).toBe(404);
  });

  // Proves "office.md: lists and forms": photos replace the address of categories and extras, and old addresses keep
  //   working
  test("stores an uploaded photo's URL with the category or extra, and returns the full URL to websites", async () => {
    const { path } = await add(createJpeg({ width: 8, height: 8, seed: 3 }));
    const category = (
      await (await callOffice("GET", "/categories/A", { token: boss })).json<{ category: { version: number } }>()
    ).category;
    const changed = await callOffice("PATCH", "/categories/A", {
      token: boss,
      body: {
        expected_version: category.version,
        photos: [{ position: 1, photo_path: path, full_photo_path: "https://img.example/a.jpg" }],
      },
    });
    expect(changed.status).toBe(200);
    const { extra } = await (await callOffice("GET", "/extras/1", { token: boss })).json<{
      extra: { version: number };
    }>();
    const body = { expected_version: extra.version, photo_path: path };
    expect((await callOffice("PATCH", "/extras/1", { token: boss, body })).status).toBe(200);
    await openTestTenant(env).freshSnapshot();
    const products = await (await requestWorker(`${HOST}/api/booking/frontend/products`)).text();
    expect(products).toContain(`${HOST}${String(path)}`);
    expect(products).toContain("https://img.example/a.jpg");
    expect(await db.prepare("SELECT photo_path FROM extras WHERE id = 1").first("photo_path")).toBe(path);
    const stored = db.prepare("SELECT photo_path, full_photo_path FROM category_photos WHERE category_code = 'A'");
    expect(await stored.first()).toEqual({ photo_path: path, full_photo_path: "https://img.example/a.jpg" });
  });

  // Proves "office.md: lists and forms": photos: other files are refused
  test.each<[string, Uint8Array]>([
    ["a WebP", createWebp({ width: 4, height: 4 })],
    ["a HEIC", createHeic({ width: 4, height: 4 })],
    ...OTHER_IMAGES,
    ["a PDF", new TextEncoder().encode("%PDF-1.7 %%EOF and more")],
    ["a photo of more than 2000 kB", createJpeg({ width: 8, height: 8, seed: 1, bytes: 2_000_001 })],
  ])("rejects %s as a photo, naming the field, and stores nothing", async (_, bytes) => {
    const answer = await send(bytes);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringMatching(/"content".*PNG or JPEG/)]);
    expect((await env.FILES.list({ prefix: "t/acme/photos/" })).objects).toEqual([]);
  });

  test("requires permission to change prices for uploading a photo", async () => {
    expect((await send(PNG, await createToken("desk"))).status).toBe(403);
    expect((await send(PNG, await createToken("ana"))).status).toBe(403);
  });

  test("uploads one photo per key, and rejects another photo with the same key", async () => {
    const first = await send(PNG, boss, "once");
    expect(await (await send(PNG, boss, "once")).json()).toEqual(await first.json());
    expect((await send(createJpeg({ width: 8, height: 8, seed: 1 }), boss, "once")).status).toBe(422);
    expect((await env.FILES.list({ prefix: "t/acme/photos/" })).objects).toHaveLength(1);
  });

  test("copies catalogue photos to the backups", async () => {
    const { path } = await add(PNG);
    await db.prepare("UPDATE upkeep SET photos_until = 0").run();
    await copyFilesToBackup(openTestTenant(env));
    const copy = String(path).replace(/^\//, "photos/acme/").replace(".png", "");
    expect(await env.BACKUPS?.head(copy)).not.toBeNull();
  });
});
