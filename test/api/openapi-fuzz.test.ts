import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { createDemoRandom } from "#scripts/demo/random.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { insertTransferCatalogue } from "#support/transfers.ts";
import { findUnboundTexts, listParameterTexts } from "#support/unbound-texts.ts";
import { createCart } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import { type FuzzAnswer, findAnswerFaults } from "#tools/fuzz/answer-faults.ts";
import type { Caller } from "#tools/fuzz/caller.ts";
import { listOperations } from "#tools/fuzz/operations.ts";
import { buildRequest } from "#tools/fuzz/requests.ts";

// Short form of `npm run fuzz`: the same requests on the small company.
const REQUEST_COUNT = 600;
const SEED = "in every run";

const operations = Object.entries(openApiDocuments).flatMap(([family, describe]) => listOperations(family, describe()));

let caller: Caller;
let cart: string;
const faults: string[] = [];
const sentTexts = new Set<string>();
const statements = new Set<string>();

beforeAll(async () => {
  const company = await setUpCompany();
  await insertTransferCatalogue(company);
  await addTestUsers();
  await insertCheckInRental();
  await env.TENANT_ACME.prepare("UPDATE partner_keys SET scope_integration = 1, scope_analytics = 1").run();
  const agency = { apiKey: "agency", secret: "agency-secret" };
  const keys = { ota: agency, integration: agency, analytics: agency };
  caller = { account: "acme", keys, engineKey: "web", token: await createToken("boss") };
  cart = await createCart();
  const prepare = vi.spyOn(env.TENANT_ACME, "prepare");
  await sendRequests();
  for (const [statement] of prepare.mock.calls) statements.add(statement);
  prepare.mockRestore();
});

async function sendRequests(): Promise<void> {
  const random = createDemoRandom(SEED);
  const known = {
    pickup_place: ["1", "2"],
    return_place: ["1", "2"],
    product: ["A", "B"],
    code: ["A", "B"],
    free_access_id: [cart, "booking-7"],
    id: [7],
    booking_id: [7],
    rental_location_code: ["AIR", "TOWN"],
    rental_storage_id: [1],
    year: [2026],
    gateway: ["tpvA256", "tpvB"],
    hash: ["a".repeat(64)],
    op_id: ["01890000-0000-7000-8000-000000000001"],
  };
  for (let requestIndex = 0; requestIndex < REQUEST_COUNT; requestIndex++) {
    const operation = operations[requestIndex % operations.length] ?? random.pick(operations);
    // Checking a password takes 200 ms in each case.
    if (operation.path.endsWith("/login") && requestIndex > operations.length) continue;
    const fuzzRequest = await buildRequest(operation, caller, { random, known, now: Date.now() });
    const query = fuzzRequest.path.split("?")[1] ?? "";
    for (const text of listParameterTexts(query, parseBody(fuzzRequest.body))) sentTexts.add(text);
    const answer = await requestWorker(`http://acme.localhost:8787${fuzzRequest.path}`, {
      method: fuzzRequest.method,
      headers: fuzzRequest.headers,
      redirect: "manual",
      ...(fuzzRequest.body !== undefined &&
        !["GET", "HEAD"].includes(fuzzRequest.method) && { body: fuzzRequest.body }),
    });
    const answerFaults = findAnswerFaults(operation, fuzzRequest, {
      status: answer.status,
      contentType: answer.headers.get("Content-Type") ?? "",
      requestId: answer.headers.get("X-Request-Id") ?? "",
      text: await answer.text(),
    });
    faults.push(
      ...answerFaults.map(
        (fault) =>
          `${fault}: ${fuzzRequest.method} ${fuzzRequest.path.slice(0, 200)} ${fuzzRequest.body?.slice(0, 300)}`,
      ),
    );
  }
}

function parseBody(body: string | Uint8Array | undefined): unknown {
  try {
    return JSON.parse(String(body ?? null));
  } catch {
    return Object.fromEntries(new URLSearchParams(String(body)));
  }
}

// Proves "security.md": V2
test("answers 600 valid and invalid requests to all operations in the declared format and without a server error", () => {
  expect(faults).toEqual([]);
});

// Proves "security.md": V24
test("binds every text of 600 valid and invalid requests to all operations as a parameter of its SQL statements", () => {
  expect(statements.size).toBeGreaterThan(300);
  expect(sentTexts.size).toBeGreaterThan(100);
  expect(findUnboundTexts(sentTexts, statements)).toEqual([]);
});

describe("the check of fuzzed responses", () => {
  const locations = operations.find(({ path }) => path.endsWith("/location-list"));
  const judged = (answer: Partial<FuzzAnswer>) => {
    if (!locations) throw new Error("no operation");
    const request = { account: "acme", method: "GET", path: "", headers: {} };
    return findAnswerFaults(locations, request, {
      status: 200,
      contentType: "application/json",
      requestId: "1",
      text: "",
      ...answer,
    });
  };

  test("detects a server error, an error in another format, and one that reveals internals", () => {
    const faults = judged({
      status: 500,
      contentType: "text/plain",
      requestId: "",
      text: "D1_ERROR: no such column: x",
    });
    expect(faults).toEqual([
      "status 500",
      "no X-Request-Id",
      "speaks of its inside",
      "an error that is text/plain",
      "text/plain is not declared for 500",
    ]);
  });

  test("detects a status that the OpenAPI document doesn't declare", () => {
    const text = JSON.stringify({ success: false, errors: { message: "taken" } });
    expect(judged({ status: 409, text })).toEqual(["status 409 is not declared"]);
  });

  test("detects undocumented, missing and wrongly typed fields of a response", () => {
    const place = {
      ...{ id: "1", price: "1.00", more: 1, place_type: "airport", iata: null, is_pickup: true, is_return: true },
      ...{ rental_location_code: "AIR", latitude: null, longitude: null, opening_hours: [] },
      address: { street: null, zip: null, city: null, state: null, country: null },
    };
    expect(judged({ text: JSON.stringify({ success: true, response: [place] }) })).toEqual([
      ".response[0].name: is missing",
      ".response[0].id: is no integer",
      ".response[0].more: is not described",
    ]);
  });
});
