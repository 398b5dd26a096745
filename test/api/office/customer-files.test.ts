import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { chooseForGate } from "#support/gate-sample.ts";
import { createHeic, createJpeg, createPng, createWebp, OTHER_IMAGES } from "#support/images.ts";
import { callOffice } from "#support/office.ts";
import { deleteErasureRecords } from "#support/person-to-erase.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { copyFilesToBackup } from "#worker/usecases/operations/copy-files.ts";
import { reapplyErasuresAfterRestore } from "#worker/usecases/privacy/erase-person.ts";

type Row = Readonly<Record<string, unknown>>;
const db = env.TENANT_ACME;
const FILES = "/customers/77/files";
const PDF = new TextEncoder().encode("%PDF-1.7\nlicence\n%%EOF\n");
let boss = "";
let desk = "";

beforeEach(async () => {
  await deleteErasureRecords();
  await env.FILES.delete(await listObjects());
  await setUpCompany();
  await addTestUsers();
  await db.batch([
    db.prepare("UPDATE users SET role = 'agent' WHERE username = 'desk'"),
    db.prepare(
      "INSERT INTO customers (id, name, branch_code, created_at, last_update) VALUES (77, 'Eva', 'AIR', 1, 1), (78, 'Eva', 'AIR', 1, 1)",
    ),
  ]);
  [boss, desk] = [await createToken("boss"), await createToken("desk")];
});

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const send = (name: string, bytes: Uint8Array, token = desk, key?: string) =>
  callOffice("POST", FILES, { token, body: { name, content: toBase64(bytes) }, ...(key !== undefined && { key }) });
async function add(name: string, bytes: Uint8Array, token = desk): Promise<Row> {
  const answer = await send(name, bytes, token);
  expect(answer.status).toBe(201);
  return (await answer.json<{ file: Row }>()).file;
}
const list = async (path = FILES, token = desk) =>
  (await (await callOffice("GET", path, { token })).json<{ data: readonly Row[] }>()).data;
const remove = (file: Row, token = desk, key?: string) =>
  callOffice("DELETE", `${FILES}/${file["id"]}`, { token, ...(key !== undefined && { key }) });
const listObjects = async (bucket = env.FILES, prefix = "t/acme/customers/77/") =>
  (await bucket.list({ prefix })).objects.map(({ key }) => key);

describe("files on a customer's card", () => {
  // Proves "office.md: the vehicles of a contract": POST /customers/{id}/files: with author, time and history;
  //   attachment, nosniff, sandbox
  test("adds a file to a customer with author and time, serves it as an attachment, and records it in the history", async () => {
    const file = await add("Führerschein 'A'.pdf", PDF);
    expect(file).toMatchObject({
      ...{ name: "Führerschein 'A'.pdf", content_type: "application/pdf", bytes: PDF.byteLength },
      ...{ author: "Dora Desk", deletable: true },
    });
    expect(await list()).toEqual([file]);
    const answer = await callOffice("GET", `${FILES}/${file["id"]}`, { token: desk });
    expect(answer.status).toBe(200);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(PDF);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": "attachment; filename*=UTF-8''F%C3%BChrerschein%20%27A%27.pdf",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    const card = await (await callOffice("GET", "/customers/77", { token: boss })).json<{ history: readonly Row[] }>();
    expect(card.history[0]).toMatchObject({ who: "Dora Desk", after: { file: "Führerschein 'A'.pdf" } });
  });

  // Proves "office.md: the vehicles of a contract": customer files: pictures are rebuilt, the real type counts
  test("stores a picture without its text and location metadata, with the file extension of its real type", async () => {
    const jpeg = createJpeg({ width: 8, height: 8, seed: 1 });
    const secret = [...new TextEncoder().encode("GPS 39.5,2.6")];
    const comment = [0xff, 0xfe, 0, secret.length + 2, ...secret];
    const file = await add("scan.png", Uint8Array.from([...jpeg.slice(0, 2), ...comment, ...jpeg.slice(2)]));
    expect(file).toMatchObject({ name: "scan.png.jpg", content_type: "image/jpeg" });
    const answer = await callOffice("GET", `${FILES}/${file["id"]}`, { token: desk });
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain("GPS");
    expect(await add("id.png", createPng({ width: 4, height: 4 }))).toMatchObject({ content_type: "image/png" });
  });

  test.each(
    chooseForGate<[string, string, Uint8Array]>(
      [
        ["a web page", "page.pdf", new TextEncoder().encode("<script>alert(1)</script>")],
        ["a WebP", "photo.webp", createWebp({ width: 4, height: 4 })],
        ["a HEIC", "photo.heic", createHeic({ width: 4, height: 4 })],
        ...OTHER_IMAGES.map(([format, bytes]): [string, string, Uint8Array] => [format, "photo.jpg", bytes]),
        ["a PNG with too many pixels", "big.png", createPng({ width: 20_000, height: 20_000 })],
        ["an empty file", "empty.pdf", new Uint8Array()],
        ["a file of more than 5 MB", "long.pdf", new Uint8Array(5_000_001).fill(32)],
      ],
      5,
    ),
  )("rejects the file %s and stores nothing", async (_, name, bytes) => {
    const answer = await send(name, bytes);
    expect([answer.status, await answer.json()]).toMatchObject([400, { detail: [{ field: "content" }] }]);
    expect(await listObjects()).toEqual([]);
    expect(await list()).toEqual([]);
  });

  test.each([
    [{ content: "" }, "name"],
    [{ name: "a.pdf" }, "content"],
    [{ name: "a.pdf", content: "no base64!" }, "content"],
    [{ name: "x".repeat(121), content: "" }, "name"],
    [{ name: "a.pdf", content: "", more: 1 }, "more"],
  ])("names the wrong field of the customer file %j", async (body, field) => {
    const answer = await callOffice("POST", FILES, { token: desk, body });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain(field);
  });

  test("adds one file per key, and rejects another file with the same key", async () => {
    const first = await send("a.pdf", PDF, desk, "once");
    expect(await (await send("a.pdf", PDF, desk, "once")).json()).toEqual(await first.json());
    expect((await send("a.pdf", new TextEncoder().encode("%PDF-1.4 %%EOF"), desk, "once")).status).toBe(422);
    await add("a.pdf", PDF);
    expect(await list()).toHaveLength(2);
    expect(await listObjects()).toHaveLength(2);
  });

  test("rejects the 101st file of a customer", async () => {
    const insert = `INSERT INTO customer_files (file_key, customer_id, name, content_type, bytes, created_by, created_at)
      SELECT printf('%064d', value), 77, 'x.pdf', 'application/pdf', 1, 'staff:2', 1 FROM json_each(?)`;
    await db
      .prepare(insert)
      .bind(JSON.stringify([...Array(100).keys()]))
      .run();
    const answer = await send("a.pdf", PDF);
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: "too_many_files" }]);
  });

  // Proves "office.md: the vehicles of a contract": customer files: deleted by author or manager
  test("lets its author or a manager delete a customer's file, and keeps its name in the history", async () => {
    const [own, other] = [await add("own.pdf", PDF), await add("other.pdf", PDF, boss)];
    expect((await remove(other)).status).toBe(403);
    expect((await remove(own, desk, "gone")).status).toBe(204);
    expect((await remove(own, desk, "gone")).status).toBe(204);
    expect((await remove(own)).status).toBe(404);
    expect((await callOffice("GET", `${FILES}/${own["id"]}`, { token: desk })).status).toBe(404);
    expect((await remove(other, boss)).status).toBe(204);
    expect(await listObjects()).toEqual([]);
    const card = await (await callOffice("GET", "/customers/77", { token: boss })).json<{ history: readonly Row[] }>();
    expect(card.history[0]).toMatchObject({ before: { file: "other.pdf" } });
  });

  // Proves "office.md: the vehicles of a contract": customer files: of other branches are hidden
  test("moves files with a merged customer, and shows them to the customer's branches only", async () => {
    const file = await add("a.pdf", PDF);
    expect((await callOffice("POST", "/customers/77/merge", { token: boss, body: { into: 78 } })).status).toBe(200);
    expect(await list("/customers/78/files")).toEqual([file]);
    expect((await callOffice("GET", `/customers/78/files/${file["id"]}`, { token: desk })).status).toBe(200);
    expect((await callOffice("GET", `/customers/1/files/${file["id"]}`, { token: boss })).status).toBe(404);
    await db.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
    for (const path of ["/customers/78/files", `/customers/78/files/${file["id"]}`])
      expect((await callOffice("GET", path, { token: desk })).status).toBe(404);
    const refused = callOffice("POST", "/customers/78/files", {
      token: desk,
      body: { name: "a", content: toBase64(PDF) },
    });
    expect((await refused).status).toBe(404);
    expect((await callOffice("GET", FILES, { token: await createToken("ana") })).status).toBe(403);
  });

  // Proves "office.md: the vehicles of a contract": customer files: in backups, export and erasure
  test("includes customer files in backups, and in the person's export and erasure", async () => {
    const file = await add("Eva.pdf", PDF);
    const tenant = openTestTenant(env);
    await db.prepare("UPDATE upkeep SET photos_until = 0").run();
    await copyFilesToBackup(tenant);
    expect(await listObjects(env.BACKUPS, "photos/acme/customers/77/")).toHaveLength(1);
    const exported = await (await callOffice("GET", "/customers/77/export", { token: boss })).json<{
      data: Record<string, readonly Row[]>;
      files: readonly string[];
    }>();
    expect(exported.data["customer_files"]).toMatchObject([{ name: "Eva.pdf" }]);
    expect(exported.files).toContain(`/api/v1/office${FILES}/${file["id"]}`);
    const erased = await callOffice("POST", "/customers/77/erase", { token: boss, body: { reason: "asked for" } });
    expect(erased.status).toBe(200);
    expect(await listObjects()).toEqual([]);
    expect(await listObjects(env.BACKUPS, "photos/acme/customers/77/")).toEqual([]);
    expect(await db.prepare("SELECT count(*) AS n FROM customer_files").first("n")).toBe(0);
    expect((await send("a.pdf", PDF)).status).toBe(404);
    expect(await reapplyErasuresAfterRestore(tenant, Date.now())).toBe(0);
  });
});
