import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  callAsStaff,
  createDeliveryMessage,
  createOpId,
  insertCheckInRental,
  readFirstRow,
  sendCheckInOperation,
} from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import {
  createHeic,
  createJpeg,
  createPng,
  createWebp,
  createWebpCanvas,
  createWebpChunk,
  createWebpFile,
  createWebpFrame,
  joinBytes,
  OTHER_IMAGES,
  sha256,
} from "#support/images.ts";
import { createPngWithExcessPixels, createPngWithMissingPixels } from "#support/png-files.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { copyFilesToBackup } from "#worker/usecases/operations/copy-files.ts";

let desk: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await insertCheckInRental();
  desk = await createToken("desk");
});

const path = (hash: string, booking = 7) => `/v1/booking/${booking}/check-in-files/${hash}`;
/** Size of a JPEG without its scan. */
const OVERHEAD = createJpeg({ width: 9, height: 9, seed: 1, bytes: 0 }).length;
const uploadPhoto = async (
  bytes: Uint8Array,
  { token = desk, hash, booking = 7 }: { token?: string; hash?: string; booking?: number } = {},
) => callAsStaff("PUT", path(hash ?? (await sha256(bytes)), booking), token, bytes, { "Content-Type": "image/jpeg" });

describe("a photo", () => {
  // Proves "security.md": V7
  test("stores a photo once under its hash and returns it unchanged", async () => {
    const photo = createJpeg({ width: 640, height: 480, seed: 1 });
    const hash = await sha256(photo);
    expect((await callAsStaff("HEAD", path(hash), desk)).status).toBe(404);
    const storedPhoto = await uploadPhoto(photo);
    expect(storedPhoto.status).toBe(201);
    expect(await storedPhoto.json()).toEqual({
      hash,
      bytes: photo.byteLength,
      content_type: "image/jpeg",
      width: 640,
      height: 480,
    });
    expect((await uploadPhoto(photo)).status).toBe(200);
    const headResponse = await callAsStaff("HEAD", path(hash), desk);
    expect([headResponse.status, headResponse.headers.get("Content-Type")]).toEqual([200, "image/jpeg"]);
    const read = await callAsStaff("GET", path(hash), desk);
    expect(new Uint8Array(await read.arrayBuffer())).toEqual(photo);
    expect(Object.fromEntries(read.headers)).toMatchObject({
      "content-type": "image/jpeg",
      "x-content-type-options": "nosniff",
      "content-disposition": expect.stringContaining(`${hash}.jpg`),
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "no-store",
    });
  });

  test("stores a photo of several megabytes, even if an interrupted upload left an object under its hash", async () => {
    const photo = createJpeg({ width: 4_000, height: 3_000, seed: 3, bytes: 3_000_000 });
    const hash = await sha256(photo);
    const key = `t/acme/check-in/7/${hash}`;
    for (let attempt = 0; attempt < 2; attempt++) {
      expect((await uploadPhoto(photo)).status).toBe(201);
      const stored = await env.FILES?.get(key);
      expect(new Uint8Array((await stored?.arrayBuffer()) ?? [])).toEqual(photo);
      await env.TENANT_ACME.prepare("DELETE FROM check_in_files WHERE hash = ?").bind(hash).run();
    }
  });

  test("stores a photo again if the purge deletes the object of an interrupted upload in the meantime", async () => {
    const photo = createJpeg({ width: 64, height: 48, seed: 4 });
    const hash = await sha256(photo);
    const bucket = env.FILES;
    await bucket.put(`t/acme/check-in/7/${hash}`, photo);
    const put = bucket.put.bind(bucket) as (...input: unknown[]) => Promise<R2Object>;
    const spy = vi.spyOn(bucket, "put").mockImplementationOnce(async (...input: unknown[]) => {
      const answer = await put(...input);
      await bucket.delete(`t/acme/check-in/7/${hash}`);
      return answer;
    });
    expect((await uploadPhoto(photo)).status).toBe(201);
    spy.mockRestore();
    const read = await callAsStaff("GET", path(hash), desk);
    expect([read.status, new Uint8Array(await read.arrayBuffer())]).toEqual([200, photo]);
  });

  test("removes metadata from a photo, and stores it under the hash of the sent bytes", async () => {
    const plain = createJpeg({ width: 64, height: 48, seed: 8 });
    const text = new TextEncoder().encode("39.57N <script>");
    const comment = joinBytes(Uint8Array.of(0xff, 0xfe, 0, text.length + 2), text);
    const photo = joinBytes(plain.subarray(0, 2), comment, plain.subarray(2));
    const hash = await sha256(photo);
    const stored = await uploadPhoto(photo);
    expect([stored.status, await stored.json()]).toMatchObject([201, { hash, bytes: plain.byteLength }]);
    const read = await callAsStaff("GET", path(hash), desk);
    expect(new Uint8Array(await read.arrayBuffer())).toEqual(plain);
    expect((await uploadPhoto(photo)).status).toBe(200);
    await copyFilesToBackup(openTestTenant(env));
    expect(await env.BACKUPS?.head(`photos/acme/check-in/7/${hash}`)).toMatchObject({ size: plain.byteLength });
  });

  test("links a photo to its operation, whichever of the two arrives first", async () => {
    const [before, after] = [createJpeg({ width: 10, height: 10, seed: 2 }), createPng({ width: 12, height: 9 })];
    const [text, two] = [await sha256(before), await sha256(after)];
    await uploadPhoto(before);
    const taken_at = "2024-05-03T08:00:00.000Z";
    const delivery = createDeliveryMessage({
      photos: [
        { hash: text, view: "front", taken_at },
        { hash: two, view: "rear", taken_at },
      ],
    });
    expect((await sendCheckInOperation(desk, delivery)).result.missing_photos).toEqual([two]);
    await uploadPhoto(after);
    expect((await sendCheckInOperation(desk, delivery)).result.missing_photos).toEqual([]);
  });

  // Proves "check-in.md: failures in the field, the server": The same photo twice, or under two names
  test("stores one object with two references if a photo is named twice", async () => {
    const photo = createWebp({ width: 20, height: 30 });
    const hash = await sha256(photo);
    const taken_at = "2024-05-03T08:00:00.000Z";
    await sendCheckInOperation(
      desk,
      createDeliveryMessage({
        photos: [
          { hash, view: "front", taken_at },
          { hash, view: "damage", taken_at },
        ],
      }),
    );
    await uploadPhoto(photo);
    expect(
      await readFirstRow("SELECT count(*) AS named, sum(arrived) AS arrived FROM check_in_operation_files"),
    ).toEqual({
      named: 2,
      arrived: 2,
    });
    expect(await readFirstRow("SELECT count(*) AS kept FROM check_in_files")).toEqual({ kept: 1 });
  });

  // Proves "check-in.md: failures in the field, the server": A photo is deleted after it was sent
  test("marks a photo that was taken by mistake as removed, and keeps it as evidence", async () => {
    const photo = createJpeg({ width: 11, height: 10, seed: 3 });
    const hash = await sha256(photo);
    await uploadPhoto(photo);
    const { result } = await sendCheckInOperation(desk, {
      ...createDeliveryMessage(),
      kind: "evidence",
      vehicle_reference: undefined,
      removed_photos: [hash],
    });
    expect(result.state).toBe("applied");
    expect(await readFirstRow("SELECT removed_at IS NOT NULL AS removed FROM check_in_files")).toEqual({ removed: 1 });
    expect((await callAsStaff("GET", path(hash), desk)).status).toBe(200);
  });
});

// Proves "check-in.md": 11c
test("stores a HEIC photo that the phone couldn't convert to JPEG, and serves it only as a download", async () => {
  const photo = createHeic({ width: 4032, height: 3024, bytes: 2_000_000 });
  const hash = await sha256(photo);
  const storedPhoto = await uploadPhoto(photo);
  expect(storedPhoto.status).toBe(201);
  expect(await storedPhoto.json()).toMatchObject({ content_type: "image/heic", width: 4032, height: 3024 });
  expect((await env.FILES.head(`t/acme/check-in/7/${hash}`))?.httpMetadata?.contentType).toBe("image/heic");
  expect((await callAsStaff("HEAD", path(hash), desk)).headers.get("Content-Type")).toBe("image/heic");
  const read = await callAsStaff("GET", path(hash), desk);
  // Compare hashes, because comparing two million bytes takes ten seconds.
  expect(await sha256(new Uint8Array(await read.arrayBuffer()))).toBe(hash);
  expect(Object.fromEntries(read.headers)).toMatchObject({
    "content-type": "image/heic",
    "x-content-type-options": "nosniff",
    "content-disposition": `attachment; filename="${hash}.heic"`,
    "content-security-policy": "default-src 'none'; sandbox",
  });
  expect((await callAsStaff("GET", path(hash), undefined)).status).toBe(401);
});

test("stores a WebP photo without its metadata, and returns the size of its image", async () => {
  const size = { width: 20, height: 30 };
  const exif = createWebpChunk("EXIF", new TextEncoder().encode("GPS 39.5,2.6"));
  const photo = createWebpFile(createWebpCanvas(size, 8), createWebpFrame(size), exif);
  const hash = await sha256(photo);
  expect(await (await uploadPhoto(photo)).json()).toMatchObject({ content_type: "image/webp", ...size });
  const answer = await callAsStaff("GET", path(hash), desk);
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(createWebpFile(createWebpFrame(size)));
});

test.each(OTHER_IMAGES)("refuses a photo of the format %s with the accepted formats", async (_, bytes) => {
  const answer = await uploadPhoto(bytes);
  const message = expect.stringMatching(/JPEG, PNG, WebP or HEIC.*not_an_image/);
  expect([answer.status, await answer.text()]).toEqual([415, message]);
});

// Proves "check-in.md: failures in the field, the server": Uploads that aren't images, too large, of another hash,
//   polyglots, pixel bombs
describe("files that aren't photos", () => {
  const photo = createJpeg({ width: 640, height: 480, seed: 4 });
  const text = new TextEncoder().encode("<html><script>alert(1)</script></html>                    ");
  // Proves "security.md": A36
  // Proves "security.md": A37
  test.each<[string, Uint8Array, number, string]>([
    ["an HTML page", text, 415, "not_an_image"],
    ["a photo followed by an HTML page", joinBytes(photo, text), 415, "not_an_image"],
    [
      "a PNG followed by an archive",
      joinBytes(createPng({ width: 5, height: 5 }), Uint8Array.of(0x50, 0x4b, 3, 4)),
      415,
      "not_an_image",
    ],
    ["a photo that was cut off", photo.slice(0, 30), 415, "not_an_image"],
    ["an SVG", new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>      '), 415, "not_an_image"],
    ["an empty body", new Uint8Array(), 415, "not_an_image"],
    ["a text with too many lines", new TextEncoder().encode(`# A\n${"a\n".repeat(5_000)}`), 415, "not_an_image"],
    ["a PNG with fewer pixels than its header declares", createPngWithMissingPixels(), 415, "not_an_image"],
    [
      "a PNG too large to print with fewer pixels than its header declares",
      createPngWithMissingPixels({ width: 5_000, height: 5_000 }),
      415,
      "not_an_image",
    ],
    ["a PNG with more pixels than its header declares", createPngWithExcessPixels(), 415, "not_an_image"],
    ["a picture too large to show", createPng({ width: 60_000, height: 60_000 }), 413, "too_many_pixels"],
    ["a HEIC too large to show", createHeic({ width: 9000, height: 9000 }), 413, "too_many_pixels"],
    ["a video", createHeic({ width: 640, height: 480, brand: "mp42" }), 415, "not_an_image"],
    ["more than 10 MiB", new Uint8Array(10 * 1024 * 1024 + 1), 413, "too_large"],
  ])("rejects and doesn't store an uploaded file: %s", async (_, bytes, status, code) => {
    const answer = await uploadPhoto(bytes);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([status, code]);
    expect(await readFirstRow("SELECT count(*) AS kept FROM check_in_files")).toEqual({ kept: 0 });
    expect(await env.FILES.head(`t/acme/check-in/7/${await sha256(bytes)}`)).toBeNull();
  });

  test("rejects a signature of more than 300 kB before reading its bytes", async () => {
    const createBytes = (bytes: number) => createJpeg({ width: 9, height: 9, seed: 1, bytes: bytes - OVERHEAD });
    const [largest, tooLarge] = [createBytes(300_000), createBytes(300_001)];
    for (const bytes of [largest, tooLarge]) {
      const signature = { method: "drawn", name: "Ana Ruiz", signed_at: "2024-05-03T08:10:00.000Z" } as const;
      await sendCheckInOperation(
        desk,
        createDeliveryMessage({ op_id: createOpId(), signature: { ...signature, hash: await sha256(bytes) } }),
      );
    }
    const answer = await uploadPhoto(tooLarge);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([413, "signature_too_large"]);
    expect(await env.FILES.head(`t/acme/check-in/7/${await sha256(tooLarge)}`)).toBeNull();
    expect((await uploadPhoto(largest)).status).toBe(201);
  });

  test("rejects a file whose hash doesn't match its bytes", async () => {
    const answer = await uploadPhoto(photo, { hash: "0".repeat(64) });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, "hash_mismatch"]);
  });
});

describe("access to a booking's files", () => {
  test("returns the same 404 for a photo of another branch's booking and of a missing booking", async () => {
    const photo = createJpeg({ width: 64, height: 48, seed: 5 });
    const hash = await sha256(photo);
    await uploadPhoto(photo);
    await env.TENANT_ACME.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
    const foreign = await callAsStaff("GET", path(hash), desk);
    const missing = await callAsStaff("GET", path(hash, 999), desk);
    expect([foreign.status, missing.status]).toEqual([404, 404]);
    expect(await foreign.text()).toBe(await missing.text());
    expect((await uploadPhoto(photo)).status).toBe(404);
    expect((await callAsStaff("GET", path(hash), undefined)).status).toBe(401);
    expect((await callAsStaff("GET", path(hash), await createToken("ana"))).status).toBe(403);
  });

  test("rejects another account's token, and separates the files of equal booking numbers by account", async () => {
    const photo = createJpeg({ width: 64, height: 48, seed: 6 });
    await uploadPhoto(photo);
    await setUpCompany("globex");
    await addTestUsers("globex");
    const otherAccountToken = await createToken("boss", "globex");
    const address = path(await sha256(photo));
    expect((await callAsStaff("GET", address, otherAccountToken)).status).toBe(401);
    await env.TENANT_GLOBEX.prepare(
      `INSERT INTO bookings (id, free_access_id, status, created_by, date_from, time_from, date_to, time_to, days,
        pickup_place, return_place, branch_code, return_branch_code, branch_group_id, customer_name, customer_language,
        item_cents, total_cents, created_at, last_update)
      VALUES (7, 'other-7', 'confirmed', 'staff', '2024-05-03', '10:00', '2024-05-05', '10:00', 2, '', '', 'AIR',
        'AIR', 1, 'Eva', 'es', 0, 0, 0, 0)`,
    ).run();
    const headers = { Authorization: otherAccountToken };
    const other = await requestWorker(`http://globex.localhost:8787/api${address}`, { headers });
    expect(other.status).toBe(404);
    expect((await callAsStaff("GET", address, desk)).status).toBe(200);
  });
});
