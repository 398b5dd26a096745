import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { postAsAgency } from "#support/agency.ts";
import { insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { signBytes } from "#support/sign-bytes.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { createCart, sendAsWebsite } from "#support/website.ts";
import { listOperations } from "#tools/fuzz/operations.ts";
import { checkFormSize, checkParameterNames } from "#worker/api/failure.ts";
import { bodyFailures, readBody, skipBody } from "#worker/api/request-body.ts";
import worker from "#worker/entry/office.ts";

const SITE = "http://acme.localhost:8787";
const MEBIBYTE = 1024 * 1024;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
});

/** Creates an endless body without a length, and counts how many bytes were read. */
function createLongBody(maxBytes: number) {
  const read = { bytes: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (read.bytes >= maxBytes) return controller.close();
      read.bytes += 64 * 1024;
      controller.enqueue(new Uint8Array(64 * 1024).fill(32));
    },
  });
  return { read, body };
}

async function sendEndless(method: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const { read, body } = createLongBody(40 * MEBIBYTE);
  const request = new Request(SITE + path, { method, headers, body });
  const response = await worker.fetch(request, env, createExecutionContext());
  return { status: response.status, bytes: read.bytes };
}

const JSON_TYPE = { "Content-Type": "application/json" };

describe("a body that never ends", () => {
  // Proves "security.md": A1
  test.each([
    ["POST", "/api/booking/frontend/shopping-cart", JSON_TYPE],
    ["POST", "/api/booking/ota/booking", JSON_TYPE],
    ["POST", "/api/v1/login", JSON_TYPE],
    ["POST", "/api/v1/signup/customer", JSON_TYPE],
    ["POST", "/reserva/pagar", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["POST", "/charge-processed/tpvA256", { "Content-Type": "application/x-www-form-urlencoded" }],
  ])("stops reading the body of %s %s at the first byte over 1 MiB", async (method, path, headers) => {
    const response = await sendEndless(method, path, headers);
    expect(response.status).toBe(413);
    // The body arrives in pieces of 64 KiB.
    expect(response.bytes).toBeLessThanOrEqual(MEBIBYTE + 64 * 1024);
  });

  // Proves "security.md": A1
  test("stops reading an endless body of every public write within 2 MiB, also of quote pages and XML", async () => {
    const writes = Object.entries(openApiDocuments)
      .flatMap(([family, describe]) => listOperations(family, describe()))
      .filter(({ method, credential }) => method !== "GET" && credential !== "token")
      .map(({ method, path, body }) => ({ method, path, type: body?.contentType ?? "application/json" }));
    expect(writes.length).toBeGreaterThan(35);
    const quote = `/quote/${"a".repeat(32)}`;
    const others = [
      { method: "POST", path: `${quote}/accept`, type: "application/json" },
      { method: "POST", path: `${quote}/accept`, type: "application/x-www-form-urlencoded" },
      { method: "POST", path: `${quote}/decline`, type: "multipart/form-data; boundary=x" },
      { method: "POST", path: "/api/ota", type: "application/xml" },
      { method: "POST", path: "/", type: "text/plain" },
    ];
    const readers: string[] = [];
    // One of three writes in the gate, all in a release.
    const tried = writes.filter((_, index) => inject("isThorough") || index % 3 === 0);
    for (const { method, path, type } of [...tried, ...others]) {
      const filled = path.replace("{gateway}", "tpvA256").replaceAll(/\{\w+\}/g, "a".repeat(32));
      const { status, bytes } = await sendEndless(method, filled, { "Content-Type": type });
      if (status < 400 || status >= 500 || bytes >= 2 * MEBIBYTE) readers.push(`${method} ${path} ${status} ${bytes}`);
    }
    expect(readers).toEqual([]);
  });

  // Proves "security.md": A2
  test.each([
    ["PUT", `/api/v1/booking/1/check-in-files/${"a".repeat(64)}`, { "Content-Type": "image/jpeg" }],
    ["POST", "/api/v1/booking/1/check-in/operations", JSON_TYPE],
    ["POST", "/api/v1/office/reservations", JSON_TYPE],
    ["POST", "/api/v1/documents/invoice", JSON_TYPE],
  ])("rejects %s %s for unauthenticated callers before reading the body", async (method, path, headers) => {
    const response = await sendEndless(method, path, headers);
    expect([401, 404]).toContain(response.status);
    expect(response.bytes).toBeLessThan(MEBIBYTE);
  });

  // Proves "security.md": A2
  test("rejects every write of staff and customers for unauthenticated callers before reading the body", async () => {
    const writes = Object.entries(openApiDocuments)
      .flatMap(([family, describe]) => listOperations(family, describe()))
      .filter(({ method, credential }) => method !== "GET" && credential === "token");
    expect(writes.length).toBeGreaterThan(230);
    const readers: string[] = [];
    for (const { name, method, path, body } of writes) {
      const type = { "Content-Type": body?.contentType ?? "application/json" };
      const { status, bytes } = await sendEndless(method, path.replaceAll(/\{\w+\}/g, "1"), type);
      if (![400, 401, 404].includes(status) || bytes > MEBIBYTE / 2) readers.push(`${name} ${status} ${bytes}`);
    }
    expect(readers).toEqual([]);
  });

  test("stops reading a photo at 10 MiB, and doesn't read the photo of an unknown booking", async () => {
    const Authorization = await createToken("boss");
    const sendPhoto = (id: number) =>
      sendEndless("PUT", `/api/v1/booking/${id}/check-in-files/${"a".repeat(64)}`, {
        ...{ Authorization, "Content-Type": "image/jpeg" },
      });
    const unknown = await sendPhoto(999);
    expect(unknown.status).toBe(404);
    expect(unknown.bytes).toBeLessThan(MEBIBYTE);
    await insertCheckInRental();
    const endless = await sendPhoto(7);
    expect(endless.status).toBe(413);
    expect(Math.floor(endless.bytes / MEBIBYTE)).toBe(10);
  });
});

describe("a long body", () => {
  const bytes = new Uint8Array(3 * MEBIBYTE).map((_, at) => at % 251);
  const limits = { bytes: bytes.length, milliseconds: 60_000 };
  const createRequest = (body: BodyInit, headers?: HeadersInit) =>
    new Request(SITE, { method: "POST", body, ...(headers && { headers }) });
  const declared = { "Content-Length": String(bytes.length) };
  const stream = () => new Blob([bytes]).stream();

  if (inject("isThorough"))
    test("reads a body of exactly the maximum size, with or without a declared length, and refuses a longer one", async () => {
      const requests = [
        () => createRequest(bytes, declared),
        () => createRequest(stream(), declared),
        () => createRequest(stream()),
      ];
      const less = { ...limits, bytes: bytes.length - 1 };
      for (const create of requests) {
        expect(await readBody(create(), limits)).toEqual(bytes);
        expect(await skipBody(create(), limits)).toBe(bytes.length);
        expect([await readBody(create(), less), await skipBody(create(), less)]).toEqual(["tooLarge", "tooLarge"]);
      }
    });

  test("lets other requests run while a long body is read", async () => {
    let [turns, isRead] = [0, false];
    const others = (async () => {
      for (; !isRead; turns++) await scheduler.wait(0);
    })();
    await skipBody(createRequest(bytes, declared), limits);
    isRead = true;
    await others;
    expect(turns).toBeGreaterThan(15);
  });
});

describe("an unfinished body", () => {
  /** Returns what is read of a body that sends one byte and then runs `then`. */
  function readSlowly(then: (controller: ReadableStreamDefaultController<Uint8Array>) => void) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new Uint8Array(1));
        then(controller);
      },
    });
    const request = new Request(`${SITE}/api/v1/login`, { method: "POST", body });
    return readBody(request, { bytes: MEBIBYTE, milliseconds: 20 });
  }

  test("answers 408 to a body that never ends", async () => {
    expect(await readSlowly(() => undefined)).toBe("tooSlow");
    expect(bodyFailures.tooSlow).toMatchObject({ status: 408, code: "request_timeout" });
  });

  test("answers 400 instead of a server error if the sender disconnects", async () => {
    expect(await readSlowly((controller) => controller.error(new Error("Network connection lost.")))).toBe("brokenOff");
    const body = new ReadableStream({ start: (controller) => controller.error(new Error("Network connection lost.")) });
    const request = new Request(`${SITE}/api/v1/login`, { method: "POST", headers: JSON_TYPE, body });
    const response = await worker.fetch(request, env, createExecutionContext());
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "malformed_request" });
  });
});

describe("hostile JSON", () => {
  const deep = (levels: number) => `{"date_from":${"[".repeat(levels)}${"]".repeat(levels)}}`;

  // Proves "security.md": A3
  test.each([20, 60, 5_000, 400_000])(
    "rejects JSON nested %s levels deep from websites, sign-ins, agencies and the office",
    async (levels) => {
      const id = await createCart();
      const cart = await sendAsWebsite("POST", `/shopping-cart/${id}/set-product`, deep(levels), { encoded: false });
      const created = await sendAsWebsite("POST", "/shopping-cart", deep(levels), { encoded: false });
      const login = await callApi("POST", "/login", { body: deep(levels) });
      const agency = await postAsAgency("/booking", deep(levels));
      const office = await callApi("POST", "/office/reservations", {
        body: deep(levels),
        token: await createToken("boss"),
      });
      expect([cart, created, login, agency, office].map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
      if (levels > 32) {
        expect(await created.json()).toMatchObject({ error: "body: must not be nested deeper than 32 levels" });
      }
    },
  );

  test("rejects JSON with more values than the limit of 20,000", async () => {
    const body = `{"date_from":[${"0,".repeat(400_000)}0]}`;
    const answer = await sendAsWebsite("POST", "/shopping-cart", body, { encoded: false });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: "body: must not contain more than 20000 values" },
    ]);
  });

  test("rejects deeply nested JSON in a gateway's notification as forged", async () => {
    const body = new URLSearchParams({
      Ds_MerchantParameters: btoa("[".repeat(300_000)),
      Ds_Signature: "x",
      Ds_SignatureVersion: "HMAC_SHA256_V1",
    });
    const request = new Request(`${SITE}/charge-processed/tpvA256`, { method: "POST", body });
    expect((await worker.fetch(request, env, createExecutionContext())).status).toBe(403);
  });
});

describe("JSON that is not UTF-8", () => {
  test("rejects JSON that isn't UTF-8 from websites, sign-ins, agencies and the office", async () => {
    const latin = (text: string) => Uint8Array.from([...text].map((text) => text.charCodeAt(0)));
    const body = latin(JSON.stringify({ customer_name: "Íñigo", username: "Íñigo", password: "x" }));
    const token = await createToken("boss");
    const path = "/api/booking/ota/booking";
    const id = await createCart();
    const answers = await Promise.all(
      [
        [path, { Authorization: `agency:${await signBytes("agency-secret", path, body)}` }],
        ["/api/v1/login", {}],
        ["/api/v1/signup/customer", {}],
        [`/api/booking/frontend/shopping-cart/${id}/checkout`, {}],
        ["/api/v1/office/customers", { Authorization: token, "Idempotency-Key": '"latin"' }],
      ].map(([path, headers]) => {
        const type = { "Content-Type": "application/json; charset=iso-8859-1", ...(headers as Record<string, string>) };
        return worker.fetch(
          new Request(`${SITE}${path}`, { method: "POST", headers: type, body }),
          env,
          createExecutionContext(),
        );
      }),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain("body: must be UTF-8");
    }
  });
});

describe("a form or query with too many fields", () => {
  const names = (many: number) => Array.from({ length: many }, (_, index) => [`field${index}`, "1"]);

  // Proves "security.md": A4
  test("rejects a form or query with too many fields", async () => {
    const query = new URLSearchParams(names(101)).toString();
    const body = new URLSearchParams(names(30_000));
    const post = (path: string) =>
      worker.fetch(new Request(SITE + path, { method: "POST", body }), env, createExecutionContext());
    const answers = [
      await callApi("POST", `/login?${query}`),
      await post("/reserva/pagar"),
      await post(`/pay/${"a".repeat(32)}`),
      await post(`/quote/${"a".repeat(32)}/accept`),
      await post(`/quote/${"a".repeat(32)}/decline`),
      await post("/api/check-promotion-code"),
      await callApi("POST", "/login", {
        body: body.toString(),
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      }),
    ];
    for (const answer of answers) {
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: "more than 100 fields" }]);
    }
  });

  test("rejects a form with more field separators than its format allows", () => {
    const multipart = "multipart/form-data; boundary=x";
    expect(checkFormSize("content-disposition: form-data\r\n".repeat(101), multipart)?.status).toBe(400);
    expect(checkFormSize("&".repeat(1000), multipart)).toBeUndefined();
    expect(checkFormSize("&".repeat(101), "application/x-www-form-urlencoded")?.status).toBe(400);
  });

  test("rejects a field name that occurs twice among a hundred names", () => {
    const hundred = Array.from({ length: 99 }, (_, index) => `field${index}`);
    expect(checkParameterNames(hundred)).toBeUndefined();
    expect(checkParameterNames([...hundred, "field98"])).toMatchObject({ message: "field98: must not be repeated" });
  });
});

describe("a malformed multipart form", () => {
  const part = (headers: string, value = "ana") =>
    `--x\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${value}\r\n`;
  const type = "multipart/form-data; boundary=x";
  const whole = `${part('name="username"')}--x--\r\n`;

  // Proves "security.md": A4
  test.each([
    ["without a boundary", "multipart/form-data", whole],
    ["with another boundary", "multipart/form-data; boundary=y", whole],
    ["with an empty boundary", 'multipart/form-data; boundary=""', whole],
    ["with a boundary of 100,000 letters", `multipart/form-data; boundary=${"x".repeat(100_000)}`, whole],
    ["without an end", type, part('name="username"')],
    ["cut off in its headers", type, "--x\r\nContent-Disposition: form-da"],
    ["without headers", type, "--x\r\n\r\nana\r\n--x--\r\n"],
    ["without a field name", type, `${part('filename="a"')}--x--\r\n`],
    ["with a repeated field", type, part('name="username"') + whole],
    ["with 101 fields", type, Array.from({ length: 101 }, (_, at) => part(`name="f${at}"`)).join("") + whole],
    ["with thousands of empty parts", type, `${"--x\r\n\r\n\r\n".repeat(50_000)}--x--\r\n`],
    ["with a form inside it", type, part('name="a"', whole) + whole],
    ["with a file as a field", type, `${part('name="username"; filename="../../a.txt"')}--x--\r\n`],
    [
      "with a file whose name breaks the line",
      type,
      `${part('name="username"; filename="a\r\nX-Evil: 1.txt"')}--x--\r\n`,
    ],
    ["with a field named like a member of objects", type, `${part('name="__proto__"')}--x--\r\n`],
    ["without parts", type, "--x--\r\n"],
  ])("rejects a multipart sign-in and payment request %s without a server error", async (_, contentType, body) => {
    const headers = { "Content-Type": contentType };
    for (const path of ["/api/v1/login", "/reserva/pagar"]) {
      const form = new Request(SITE + path, { method: "POST", headers, body });
      const answer = await worker.fetch(form, env, createExecutionContext());
      expect([path, answer.status, answer.headers.has("X-Evil")]).toEqual([path, 400, false]);
    }
  });
});
