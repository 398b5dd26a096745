import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { BookingMailKind } from "#domain/catalogue/booking-mail-kinds.ts";
import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import {
  createAgencyReservationBody,
  createAvailabilityPath,
  getAsAgency,
  getBookableDay,
  postAsAgency,
} from "#support/agency.ts";
import { insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { insertContracts } from "#support/contracts.ts";
import { openTestTenant } from "#support/databases.ts";
import { listAsErp } from "#support/erp-client.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, callApi, createToken, login } from "#support/test-users.ts";
import { checkOutCart, createCart, parseJson, getAsWebsite as readEngine } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";

// Whole by its type. A payment link is mailed only if staff ask for it.
const MAIL_KINDS: Readonly<Record<Exclude<BookingMailKind, "payment_link">, true>> = {
  request_received: true,
  confirmed: true,
  changed: true,
  cancelled: true,
  payment_received: true,
  refunded: true,
  deposit_returned: true,
  reminder: true,
  hold_ending: true,
  delivered: true,
  collected: true,
  invoiced: true,
};

let boss = "";
let desk = "";
let manager = "";

beforeEach(async () => {
  await setUpCompany();
  const db = await addTestUsers();
  await db.batch([
    db.prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
      VALUES (4, 'staff', 'manager', 'manager@example.com', 'Max Manager', 'x', 'manager', 0, 1, 1)`),
    db.prepare("INSERT INTO user_branches VALUES (4, 'AIR')"),
  ]);
  boss = await createToken("boss");
  await openTestTenant(env).freshSnapshot();
  desk = await createToken("desk");
  manager = await createToken("manager");
});

type TestRecord = Readonly<Record<string, unknown>> & { readonly id: string | number; readonly version: number };
interface ResourceAnswer {
  readonly status: number;
  readonly resource: TestRecord;
  readonly body: Readonly<Record<string, unknown>>;
}

async function send(method: string, path: string, body?: unknown, as = boss, key?: string): Promise<ResourceAnswer> {
  const response = await callOffice(method, path, { token: as, body, ...(key !== undefined && { key }) });
  const answer = response.status === 204 ? {} : await response.json<Readonly<Record<string, unknown>>>();
  const record = Object.values(answer).find(
    (value) => typeof value === "object" && value !== null && "version" in value,
  );
  return { status: response.status, resource: record as TestRecord, body: answer };
}
const listFieldNames = ({ body }: ResourceAnswer) =>
  (body["detail"] as readonly { field: string }[] | undefined)?.map(({ field }) => field).toSorted();

const searchProduct = async (code: string, from = 0, to = 3) => {
  const path = createAvailabilityPath({ "date-from": getBookableDay(from), "date-to": getBookableDay(to) });
  const answer = await (await getAsAgency(path)).json<{ response: { products: { code: string; price: string }[] } }>();
  return answer.response.products.find((product) => product.code === code);
};

describe("office resources with lists and forms", () => {
  // Proves "office.md: lists and forms": Every list is read in one call, with what its fields may name
  test.each(RESOURCES.map((resource) => [resource.name, resource] as const))(
    "lists the office's %s with one database call, for signed-in staff only",
    async (name, resource) => {
      const response = await callOffice("GET", resource.isSingle ? `/${name}` : `/${name}?options=true&q=a`, {
        token: boss,
      });
      expect([name, response.status]).toEqual([name, 200]);
      expect(response.headers.get("Server-Timing")).toContain("calls=1");
      expect((await callOffice("GET", `/${name}`)).status).toBe(401);
    },
  );

  // Proves "office.md: lists and forms": A company sets itself up and sells
  test("creates a branch with its group, hours, places, category and prices, and sells there immediately", async () => {
    const group = await send("POST", "/branch-groups", { name: "Menorca" });
    expect(group).toMatchObject({
      status: 201,
      resource: { id: 3, name: "Menorca", timezone: "Europe/Madrid", version: 1 },
    });
    const translations = { name: { de: "Flughafen Mahón" } };
    const place_type = "airport";
    const company = { company_id: 2, company_name: "Acme Menorca SL" };
    const branch = {
      ...{ code: "MAH", name: "Mahón", rental_storage_id: group.resource.id, place_type, translations },
      ...company,
    };
    const createdBranch = await send("POST", "/branches", branch);
    expect(createdBranch).toMatchObject({
      status: 201,
      resource: { id: "MAH", currency: "EUR", translations, ...company },
    });
    // Issued documents belong to the company of their branch, so it stays.
    const other = { expected_version: createdBranch.resource.version, company_id: 1 };
    expect((await send("PATCH", "/branches/MAH", other)).status).toBe(400);
    for (const weekday of [1, 2, 3, 4, 5, 6, 7]) {
      const hours = { rental_location_code: "MAH", weekday, opens: "08:00", closes: "20:00" };
      expect((await send("POST", "/opening-hours", hours)).status).toBe(201);
    }
    const place = await send("POST", "/places", {
      name: "Aeropuerto",
      rental_location_code: "MAH",
      price: "10.00",
      translations: { name: { de: "Flughafen" } },
    });
    expect(place).toMatchObject({
      status: 201,
      resource: { price: "10.00", translations: { name: { de: "Flughafen" } } },
    });
    const category = { code: "VAN", name: "Furgoneta", vat_percent: "21", deposit: 300 };
    expect(await send("POST", "/categories", category)).toMatchObject({
      status: 201,
      resource: { vat_percent: "21.00", deposit: "300.00" },
    });
    const season = await send("POST", "/seasons", {
      name: "Summer",
      periods: [{ date_from: getBookableDay(0), date_to: getBookableDay(60) }],
    });
    const brackets = [
      { from_days: 1, to_days: 2, price: "50.00" },
      { from_days: 3, price: "40.00" },
    ];
    const price = await send("POST", "/prices", { category_code: "VAN", season_id: season.resource.id, brackets });
    expect(price).toMatchObject({
      status: 201,
      resource: { brackets: [{ price: "50.00", price_per: "day" }, { to_days: null }] },
    });
    expect(
      (
        await send("POST", "/vehicles", {
          reference: "VAN-1",
          name: "Vito",
          category_code: "VAN",
          rental_location_code: "MAH",
        })
      ).status,
    ).toBe(201);
    const path = createAvailabilityPath({
      "pickup-place": String(place.resource.id),
      "return-place": String(place.resource.id),
    });
    const { response } = await (await getAsAgency(path)).json<{
      response: { products: { code: string; price: string; available: boolean }[] };
    }>();
    expect(response.products.find(({ code }) => code === "VAN")).toMatchObject({ price: "120.00", available: true });
  });

  // Proves "office.md: lists and forms": The next search uses the new price; sold bookings stay
  test("applies a changed price to the next search, and keeps the price of sold reservations", async () => {
    expect((await postAsAgency("/booking", createAgencyReservationBody())).status).toBeLessThan(300);
    const listStoredBookings = async () =>
      (await env.TENANT_ACME.prepare("SELECT id, total_cents AS cents, version FROM bookings").all()).results;
    const agreed = await listStoredBookings();
    const before = await searchProduct("A");
    const changed = await send("PATCH", "/prices/1", {
      expected_version: 1,
      brackets: [{ from_days: 1, price: "99.00" }],
    });
    expect(changed).toMatchObject({ status: 200, resource: { version: 2 } });
    expect((await searchProduct("A"))?.price).not.toBe(before?.price);
    expect(Number((await searchProduct("A"))?.price)).toBe(3 * 99 + 5);
    expect(agreed).toHaveLength(1);
    expect(await listStoredBookings()).toEqual(agreed);
  });

  // Proves "office.md: lists and forms": All that is wrong is named at once, in rows too
  test("names all wrong fields at once, also in rows, and stores nothing", async () => {
    const rejectedAnswer = await send("POST", "/prices", {
      category_code: "NONE",
      sales_channel_code: "X",
      brackets: [{ from_days: 0, price: "-1" }],
      colour: "red",
    });
    expect([rejectedAnswer.status, listFieldNames(rejectedAnswer)]).toEqual([
      400,
      ["brackets.0.from_days", "brackets.0.price", "category_code", "colour", "sales_channel_code"],
    ]);
    const unknown = await send("POST", "/prices", {
      category_code: "NONE",
      sales_channel_code: "X",
      brackets: [
        { from_days: 1, to_days: 2, price: "1" },
        { from_days: 5, price: "1" },
      ],
    });
    expect([unknown.status, listFieldNames(unknown)]).toEqual([
      400,
      ["brackets.1.from_days", "category_code", "sales_channel_code"],
    ]);
    expect(String(unknown.body["error"])).toContain("3–4 is not covered");
    const overlap = await send("POST", "/prices", {
      category_code: "A",
      sales_channel_code: "WEB",
      brackets: [
        { from_days: 1, to_days: 3, price: "1" },
        { from_days: 3, price: "1" },
      ],
    });
    expect(String(overlap.body["error"])).toContain("overlaps with 1–3");
    expect((await send("GET", "/prices")).body["total"]).toBe(4);
  });

  // Proves "office.md: lists and forms": Each kind refuses what cannot be
  test.each([
    ["/seasons", { name: "S", periods: [{ date_from: "2031-02-01", date_to: "2031-01-01" }] }, ["periods.0.date_to"]],
    ["/driver-age-rules", { description: "x", age_from: 20, age_to: 30 }, ["age_from"]],
    ["/opening-hours", { rental_location_code: "AIR", weekday: 1, opens: "19:00", closes: "23:00" }, ["opens"]],
    [
      "/opening-hours",
      { rental_location_code: "AIR", weekday: 9, opens: "25:00", closes: "20:00" },
      ["opens", "weekday"],
    ],
    ["/promotion-codes", { code: "X", discount_type: "percentage", value: "101" }, ["value"]],
    // `constructor` is a property of every JavaScript object, but not a discount type.
    ["/promotion-codes", { code: "X", discount_type: "constructor", value: "1" }, ["discount_type"]],
    ["/promotion-codes", { code: "X", discount_type: "x", value: "-1" }, ["discount_type", "value"]],
    [
      "/promotion-codes",
      { code: "X", discount_type: "amount", value: "5", date_from: "2030-02-02", date_to: "2030-02-01" },
      ["date_to"],
    ],
    ["/one-way-fees", { pickup_place_id: 1, price: "5" }, ["return_place_id"]],
    ["/one-way-fees", { price: "5" }, ["pickup_place_id"]],
    ["/cancellation-terms", { occasion: "cancellation", fee_type: "days", fee_value: "1" }, ["hours_before"]],
    ["/selling-rules", { stop_sale_from: "2030-01-01" }, ["stop_sale_to"]],
    ["/selling-rules", {}, ["minimum_days"]],
    ["/selling-rules", { category_code: "A", no_pickup_dates: [] }, ["minimum_days"]],
    // Problems of fields, of rules between them and of references, in one answer.
    [
      "/selling-rules",
      { maximum_days: "x", stop_sale_from: "2030-02-02", stop_sale_to: "2030-02-01", category_code: "NONE" },
      ["category_code", "maximum_days", "stop_sale_to"],
    ],
    ["/seasons", { periods: [{ date_from: "2031-02-01", date_to: "2031-01-01" }] }, ["name", "periods.0.date_to"]],
    ["/service-plans", {}, ["every_units", "name"]],
    ["/users", { email: "ana@example.com", full_name: "U", password: "weak" }, ["password", "role", "username"]],
    ["/gateways", { environment: "test", merchant: { merchantCode: "x" } }, ["method"]],
    // A rule can't be decided without a valid value of each of its fields.
    ["/one-way-fees", { pickup_place_id: 1, return_place_id: "x", price: "5" }, ["return_place_id"]],
    ["/opening-hours", { rental_location_code: "AIR", weekday: 1, opens: "x", closes: "08:00" }, ["opens"]],
    ["/cancellation-terms", { hours_before: 1, fee_type: "days", fee_value: "1" }, ["occasion"]],
    ["/repatriations", { rental_storage_id: 1, return_rental_storage_id: 1, days: 1 }, ["return_rental_storage_id"]],
    [
      "/transfer-prices",
      { transfer_vehicle_id: 9, minutes: 10, price: "5" },
      ["from_point_id", "to_point_id", "transfer_vehicle_id"],
    ],
    [
      "/transfer-prices",
      { transfer_vehicle_id: 9, from_point_id: 9, to_point_id: 9, minutes: 10, price: "5" },
      ["from_point_id", "to_point_id", "to_point_id", "transfer_vehicle_id"],
    ],
    ["/partner-keys", { api_key: "new-key", name: "N", scope_ota: true, secret: "short" }, ["agency_id", "secret"]],
    [
      "/partner-keys",
      { api_key: "new-key", name: "N", scope_ota: true, secret: "long-enough-a-secret" },
      ["agency_id"],
    ],
    [
      "/partner-keys",
      {
        ...{ api_key: "new-key", name: "N", secret: "long-enough-a-secret", scope_integration: true },
        ...{ signatures: "v3", public_key: "x".repeat(101), networks: "203.0.113.0/24" },
      },
      ["networks", "public_key", "signatures"],
    ],
    [
      "/partner-keys",
      {
        ...{ api_key: "new-key", name: "N", secret: "long-enough-a-secret", scope_integration: true },
        ...{ public_key: "bm90IGEga2V5", networks: ["203.0.113.0/24", "203.0.113.0/33"] },
      },
      ["networks", "public_key"],
    ],
    [
      "/users",
      { username: "u", email: "no", full_name: "U", role: "owner", password: "weak" },
      ["email", "password", "role"],
    ],
    [
      "/gateways",
      { method: "tpvA256", environment: "test", merchant: { merchantCode: "x" } },
      ["merchant.merchantCode", "merchant.signatureVersion", "merchant.terminal", "secret"],
    ],
    ["/branches", { code: "sp ace", name: "B", rental_storage_id: 1, timezone: "Mars/Base" }, ["code", "timezone"]],
  ])("rejects invalid data of %s, naming the field: %j", async (path, body, fields) => {
    const refused = await send("POST", path, body);
    expect([refused.status, listFieldNames(refused)]).toEqual([400, fields]);
  });

  // Proves "security, privacy and operation": Names, addresses and translations of the office: one line, plain text
  test("rejects line breaks and markup in texts for mails, links and documents, but not in descriptions", async () => {
    const invalidRequests = [
      ["PATCH", "/settings", { expected_version: 1, account_name: "Acme\r\nBcc: thief@example.com" }, "account_name"],
      ["POST", "/webhooks", { url: "https://partner.example/\r\nx", events: ["booking.created"] }, "url"],
      ["POST", "/families", { code: "ONE", name: "One\nTwo" }, "name"],
      [
        "POST",
        "/families",
        { code: "ONE", name: "One", translations: { name: { de: "E\0ins" } } },
        "translations.name.de",
      ],
      [
        "POST",
        "/families",
        { code: "ONE", name: "One", translations: { name: { de: "\u202eEins" } } },
        "translations.name.de",
      ],
    ] as const;
    for (const [method, path, body, field] of invalidRequests) {
      const refused = await send(method, path, body);
      expect([path, refused.status, listFieldNames(refused)]).toEqual([path, 400, [field]]);
    }
    const lines = { code: "ONE", name: " One\n", description: "A car.\nA good one.", vat_percent: "21" };
    const translations = { description: { de: "Ein Auto.\nEin gutes." } };
    expect(await send("POST", "/categories", { ...lines, translations })).toMatchObject({
      status: 201,
      resource: { name: "One", description: lines.description, translations },
    });
  });

  test("rejects blank required texts in every resource", async () => {
    const needed = RESOURCES.filter(({ isSingle }) => !isSingle).flatMap(({ name, fields }) => {
      const texts = fields.filter((field) => field.kind === "text" && field.required).map((field) => field.name);
      return texts.length > 0 ? [[name, texts] as const] : [];
    });
    expect(needed.length).toBeGreaterThan(10);
    for (const [name, texts] of needed) {
      const blank = Object.fromEntries(texts.map((text) => [text, " "]));
      const refused = await send("POST", `/${name}`, blank);
      expect([name, refused.status, listFieldNames(refused)]).toEqual([name, 400, expect.arrayContaining(texts)]);
    }
  });

  // Proves "office.md": Origins of websites are entered as browsers send them
  test.each(["https://shop.example/", "https://Shop.example", "shop.example", "https://*.shop.example"])(
    "accepts website origins as browsers write them, and rejects %s",
    async (origin) => {
      const key = { api_key: "shop", name: "Shop", allowed_origins: ["*", "http://localhost:3000", origin] };
      const refused = await send("POST", "/engine-keys", key);
      expect([refused.status, listFieldNames(refused)]).toEqual([400, ["allowed_origins"]]);
      const settings = await send("PATCH", "/settings", { expected_version: 1, engine_origins: [origin] });
      expect([settings.status, listFieldNames(settings)]).toEqual([400, ["engine_origins"]]);
    },
  );

  // Proves "office.md: lists and forms": Another version is 409 with the thing as it is
  test("rejects a change of an outdated resource version with the current state, and overwrites nothing", async () => {
    expect((await send("PATCH", "/categories/A", { expected_version: 1, seats: 5 })).resource).toMatchObject({
      seats: 5,
      version: 2,
    });
    const late = await send("PATCH", "/categories/A", { expected_version: 1, seats: 7 });
    expect(late).toMatchObject({
      status: 409,
      resource: { seats: 5, version: 2 },
      body: { code: "changed_meanwhile" },
    });
    const [resourceAnswer, other] = await Promise.all(
      [2, 4].map((doors) => send("PATCH", "/categories/A", { expected_version: 2, doors })),
    );
    expect([resourceAnswer?.status, other?.status].toSorted()).toEqual([200, 409]);
    const { body } = await send("GET", "/categories/A/history");
    expect(body).toMatchObject({
      data: [{ version: 3 }, { who: "Bea Boss", move: "changed", before: { seats: 4 }, after: { seats: 5 } }],
    });
    expect((await send("PATCH", "/categories/A", { seats: 9 })).status).toBe(400);
  });

  test("changes nothing and adds no history for unchanged values", async () => {
    const { resource } = await send("GET", "/categories/A");
    const { seats, doors, photos, translations } = resource as Record<string, unknown>;
    const same = await send("PATCH", "/categories/A", { expected_version: 1, seats, doors, photos, translations });
    expect(same).toMatchObject({ status: 200, resource: { seats, version: 1 } });
    expect((await send("GET", "/categories/A/history")).body).toMatchObject({ data: [] });
    await send("PATCH", "/categories/A", { expected_version: 1, seats: 9, doors });
    const { body } = await send("GET", "/categories/A/history");
    expect(body).toMatchObject({ data: [{ version: 2, before: { seats }, after: { seats: 9 } }] });
    expect(JSON.stringify(body)).not.toContain("doors");
  });

  // Proves "office.md: lists and forms": The same key is done once
  test("applies a creation or deletion once per idempotency key, and rejects another body with the same key", async () => {
    const body = { name: "Winter", periods: [] };
    const first = await send("POST", "/seasons", body, boss, "key-1");
    const again = await send("POST", "/seasons", body, boss, "key-1");
    expect([first.status, again.resource.id]).toEqual([201, first.resource.id]);
    expect((await send("POST", "/seasons", { name: "Other" }, boss, "key-1")).status).toBe(422);
    expect((await send("DELETE", `/seasons/${first.resource.id}`, undefined, boss, "key-2")).status).toBe(204);
    expect((await send("DELETE", `/seasons/${first.resource.id}`, undefined, boss, "key-2")).status).toBe(204);
    expect((await send("DELETE", `/seasons/${first.resource.id}`)).status).toBe(404);
    expect((await send("GET", `/seasons/${first.resource.id}/history`)).body).toMatchObject({
      data: [{ move: "removed" }, { move: "created" }],
    });
  });

  // Proves "office.md: lists and forms": `in_use`, `taken`
  test("refuses to delete a resource in use, names what uses it, and rejects an existing code", async () => {
    const used = await send("DELETE", "/categories/A");
    expect(used).toMatchObject({ status: 409, body: { code: "in_use" } });
    expect(listFieldNames(used)).toEqual(["prices", "vehicles"]);
    const insertSql = "INSERT INTO selling_rules (category_code, minimum_days) SELECT 'A', value FROM json_each(?)";
    const many = JSON.stringify(Array.from({ length: 120 }, (_, index) => index + 1));
    await env.TENANT_ACME.prepare(insertSql).bind(many).run();
    expect((await send("DELETE", "/categories/A")).body).toMatchObject({
      error: "It is used by 3 vehicles, 1 prices, 100+ selling-rules",
      detail: [{ field: "vehicles" }, { field: "prices" }, { field: "selling-rules", message: "100+" }],
    });
    // A vehicle that refers to a branch group as its home and as its owner counts once.
    expect((await send("DELETE", "/branch-groups/2")).body["detail"]).toContainEqual({
      field: "vehicles",
      message: "1",
    });
    expect((await send("PATCH", "/categories/A", { expected_version: 1, active: false })).status).toBe(200);
    expect(await searchProduct("A")).toBeUndefined();
    expect(await send("POST", "/categories", { code: "B", name: "B", vat_percent: "21" })).toMatchObject({
      status: 409,
      body: { code: "taken" },
    });
    expect(
      await send("POST", "/prices", { category_code: "B", brackets: [{ from_days: 1, price: "1" }] }),
    ).toMatchObject({ status: 409, body: { code: "taken" } });
    const user = {
      username: "BOSS",
      email: "new@example.com",
      full_name: "N",
      role: "agent",
      all_branches: true,
      password: "Right-pass-1!",
    };
    expect(listFieldNames(await send("POST", "/users", user))).toEqual(["username"]);
  });

  test("requires separate document series for branches with different tax numbers", async () => {
    const branch = async (code: string, document_id: string) => {
      const { resource } = await send("GET", `/branches/${code}`);
      return send("PATCH", `/branches/${code}`, { expected_version: resource.version, document_id });
    };
    const pattern = async (series_pattern: string) => {
      const { resource } = await send("GET", "/settings");
      return send("PATCH", "/settings", { expected_version: resource.version, series_pattern });
    };
    expect((await branch("AIR", "B-07123458")).status).toBe(200);
    expect((await pattern("{kind}-{yy}")).status).toBe(200);
    expect((await branch("TOWN", "B07123458")).status).toBe(200);
    const other = await branch("TOWN", "B07999999");
    expect([other.status, listFieldNames(other)]).toEqual([400, ["document_id"]]);
    expect((await pattern("{kind}-{branch}-{yy}")).status).toBe(200);
    expect((await branch("TOWN", "B07999999")).status).toBe(200);
    const shared = await pattern("{kind}-{yy}");
    expect([shared.status, listFieldNames(shared)]).toEqual([400, ["series_pattern"]]);
    expect(JSON.stringify(shared.body)).toContain("add {branch} to the series pattern");
  });

  test("prevents circular families and names rows that must be unique but appear twice", async () => {
    const { resource: upper } = await send("POST", "/families", { code: "UPPER", name: "Upper" });
    const { resource: lower } = await send("POST", "/families", { code: "LOWER", name: "Lower", parent_id: upper.id });
    for (const parent_id of [upper.id, lower.id]) {
      const refused = await send("PATCH", `/families/${upper.id}`, { expected_version: 1, parent_id });
      expect([refused.status, listFieldNames(refused)]).toEqual([400, ["parent_id"]]);
    }
    const familyAnswer = await send("PATCH", `/families/${lower.id}`, { expected_version: 1, parent_id: null });
    expect(familyAnswer.status).toBe(200);
    const stocks = [1, 2, 1].map((group) => ({ rental_storage_id: group, units: 1 }));
    const extra = { code: "ICE", name: "Ice", price_per: "day", price: "1", vat_percent: "21", stocks };
    expect(listFieldNames(await send("POST", "/extras", extra))).toEqual(["stocks.2.rental_storage_id"]);
    const photos = [0, 0].map((position) => ({ position, photo_path: "a", full_photo_path: "b" }));
    const category = { code: "NEW", name: "New", vat_percent: "21", photos };
    expect(listFieldNames(await send("POST", "/categories", category))).toEqual(["photos.1.position"]);
  });

  test("rejects a branch with another currency than the company's or an unknown country", async () => {
    const branch = async (values: object) =>
      listFieldNames(await send("PATCH", "/branches/AIR", { expected_version: 1, ...values }));
    expect(await branch({ currency: "USD" })).toEqual(["currency"]);
    expect(await branch({ address_country_code: "ZZ" })).toEqual(["address_country_code"]);
    expect(await branch({ currency: "EUR", address_country_code: "XK" })).toBeUndefined();
  });

  test("moves a branch to another group once nothing depends on its current one", async () => {
    const { resource: group } = await send("POST", "/branch-groups", { name: "Menorca" });
    const branchAnswer = await send("PATCH", "/branches/AIR", { expected_version: 1, rental_storage_id: group.id });
    expect(branchAnswer).toMatchObject({ status: 409, body: { code: "in_use", detail: [{ field: "vehicles" }] } });
    expect((await send("PATCH", "/branches/AIR", { expected_version: 1, rental_storage_id: 1 })).status).toBe(200);
    await env.TENANT_ACME.prepare("UPDATE vehicles SET branch_code = 'TOWN' WHERE branch_code = 'AIR'").run();
    await postAsAgency("/booking", createAgencyReservationBody());
    const promised = await send("PATCH", "/branches/AIR", { expected_version: 1, rental_storage_id: group.id });
    expect(promised.body).toMatchObject({ code: "in_use", detail: [{ field: "reservations", message: "1" }] });
    await env.TENANT_ACME.prepare("UPDATE bookings SET status = 'cancelled'").run();
    const free = await send("PATCH", "/branches/AIR", { expected_version: 1, rental_storage_id: group.id });
    expect(free).toMatchObject({ status: 200, resource: { rental_storage_id: group.id } });
  });

  // Proves "office.md: lists and forms": Hours that change their time go on under the new id
  test("changes a branch's opening hours, and keeps their history", async () => {
    const changed = await send("PATCH", "/opening-hours/AIR~1~08:00", { expected_version: 1, opens: "07:00" });
    expect(changed).toMatchObject({ status: 200, resource: { id: "AIR~1~07:00", closes: "20:00", version: 2 } });
    expect((await send("GET", "/opening-hours/AIR~1~08:00")).status).toBe(404);
    expect((await send("GET", "/opening-hours/AIR~1~08:00/history")).body).toMatchObject({
      data: [{ move: "renamed" }],
    });
    expect((await send("GET", "/opening-hours?rental_location_code=AIR&page_size=3")).body).toMatchObject({
      total: 7,
      next: "AIR~3~08:00",
    });
  });
});

describe("permissions", () => {
  // Proves "office.md: lists and forms": Rights and branches
  test("lets operators only read, prevents managers from administration, and limits both to their branches", async () => {
    expect((await send("GET", "/prices", undefined, desk)).status).toBe(200);
    const refused = await send("PATCH", "/prices/1", { expected_version: 1, brackets: [] }, desk);
    expect(refused).toMatchObject({
      status: 403,
      body: { code: "permission_denied", detail: [{ message: "prices" }] },
    });
    for (const name of ["users", "partner-keys", "engine-keys", "gateways"])
      expect((await send("GET", `/${name}`, undefined, manager)).body).toMatchObject({
        detail: [{ message: "administer" }],
      });
    expect((await send("PATCH", "/settings", { expected_version: 1, grace_minutes: 1 }, manager)).status).toBe(403);
    expect((await send("GET", "/places", undefined, manager)).body["total"]).toBe(1);
    expect((await send("GET", "/places/2", undefined, manager)).status).toBe(404);
    expect((await send("PATCH", "/places/2", { expected_version: 1, name: "X" }, manager)).status).toBe(404);
    expect(
      (await send("PATCH", "/places/1", { expected_version: 1, rental_location_code: "TOWN" }, manager)).status,
    ).toBe(403);
    expect((await send("POST", "/selling-rules", { minimum_days: 2 }, manager)).status).toBe(403);
    expect(
      (await send("POST", "/selling-rules", { minimum_days: 2, rental_location_code: "AIR" }, manager)).status,
    ).toBe(201);
  });

  // Proves "office.md: lists and forms": A rule for all branches is for who works at all of them
  test("prevents users of some branches from deleting or taking over a rule for all branches", async () => {
    const { resource: rule } = await send("POST", "/selling-rules", { minimum_days: 2 });
    const path = `/selling-rules/${rule.id}`;
    const values = { expected_version: 1, rental_location_code: "AIR" };
    expect(await send("PATCH", path, values, manager)).toMatchObject({
      status: 403,
      body: { code: "branch_forbidden" },
    });
    const lifted = await send("DELETE", `${path}?expected_version=1`, undefined, manager);
    expect(lifted).toMatchObject({ status: 403, body: { code: "branch_forbidden" } });
    expect((await send("GET", path, undefined, manager)).resource).toEqual(rule);
    expect((await send("DELETE", `${path}?expected_version=1`)).status).toBe(204);
  });

  // Proves "office.md: lists and forms": Secrets never come out
  test("accepts secrets, and returns them in no response and no history", async () => {
    const key = { api_key: "shop", name: "Shop", agency_id: 1, scope_ota: true, secret: "a-secret-of-24-characters" };
    const createdKey = await send("POST", "/partner-keys", key);
    expect(createdKey).toMatchObject({ status: 201, resource: { has_secret: true } });
    const gateway = {
      method: "tpvA256",
      environment: "stand_in",
      merchant: { merchantCode: "999008881", terminal: "1", signatureVersion: "HMAC_SHA256_V1" },
      secret: "c2VjcmV0LXNlY3JldC1zZWNyZXQh",
    };
    const opened = await send("POST", "/gateways", gateway);
    expect(opened).toMatchObject({ status: 201, resource: { has_secret: true, method: "tpvA256" } });
    const changed = await send("PATCH", "/partner-keys/shop", {
      expected_version: 1,
      secret: "another-secret-of-24-chars",
    });
    const read = await Promise.all(
      ["/partner-keys", "/gateways", "/partner-keys/shop/history", "/gateways/tpvA256/history"].map((path) =>
        send("GET", path),
      ),
    );
    const responseTexts = JSON.stringify([createdKey, opened, changed, read]);
    expect(responseTexts).not.toMatch(/of-24|c2VjcmV0|sealed/i);
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT secret_sealed, previous_secret_sealed AS previous FROM partner_keys WHERE api_key = 'shop'",
    ).all<{ secret_sealed: string; previous: string }>();
    expect(results[0]?.previous).toBeTruthy();
    expect(results[0]?.previous).not.toBe(results[0]?.secret_sealed);
  });

  // Proves "office.md: lists and forms": Users are signed out, administrators stay
  test("lets a new user sign in, ends sessions after role or password changes, and keeps one administrator", async () => {
    const body = {
      username: "nora",
      email: "nora@example.com",
      full_name: "Nora",
      role: "agent",
      branch_codes: ["AIR"],
      password: "Right-pass-1!",
    };
    const createdKey = await send("POST", "/users", body);
    expect(createdKey).toMatchObject({
      status: 201,
      resource: { role: "agent", branch_codes: ["AIR"], has_password: true },
    });
    expect(await (await login("nora", "Right-pass-1!")).json()).toMatchObject({ connected: true });
    for (const [version, change] of [{ password: "Other-pass-1!" }, { role: "manager" }, { active: false }].entries()) {
      const nora = await createToken("nora");
      expect((await send("GET", "/prices", undefined, nora)).status).toBe(200);
      const body = { expected_version: version + 1, ...change };
      expect((await send("PATCH", `/users/${createdKey.resource.id}`, body)).status).toBe(200);
      expect([change, (await send("GET", "/prices", undefined, nora)).status]).toEqual([change, 401]);
    }
    expect(listFieldNames(await send("PATCH", "/users/3", { expected_version: 1, role: "agent" }))).toEqual(["role"]);
    expect(listFieldNames(await send("PATCH", "/users/3", { expected_version: 1, active: false }))).toEqual(["active"]);
    expect((await send("GET", "/users/1")).status).toBe(404);
  });

  test("rejects a user name or email address used by another user, since both can be used to sign in", async () => {
    const user = { full_name: "Nora", role: "manager", all_branches: true, password: "Right-pass-1!" };
    const nora = await send("POST", "/users", { ...user, username: "nora", email: "nora@example.com" });
    const other = { ...user, username: "Nora@Example.com", email: "other@example.com" };
    const duplicateUser = await send("POST", "/users", other);
    expect([duplicateUser.status, listFieldNames(duplicateUser)]).toEqual([409, ["username"]]);
    const createdKey = await send("POST", "/users", { ...other, username: "leo@example.com" });
    const change = { expected_version: 1, email: " LEO@example.com" };
    const changed = await send("PATCH", `/users/${nora.resource.id}`, change);
    expect([changed.status, listFieldNames(changed)]).toEqual([409, ["email"]]);
    const own = { expected_version: 1, username: "other@example.com" };
    expect((await send("PATCH", `/users/${createdKey.resource.id}`, own)).status).toBe(200);
    expect(await (await login("nora@example.com", "Right-pass-1!")).json()).toMatchObject({ connected: true });
  });

  // Proves "office.md: lists and forms": Two accounts never meet
  test("separates two accounts with the same names", async () => {
    await setUpCompany("globex");
    await addTestUsers("globex");
    const other = await createToken("boss", "globex");
    await send("POST", "/seasons", { name: "Of acme" });
    const listed = await callOffice("GET", "/seasons", { token: other, account: "globex" });
    expect(await listed.json()).toMatchObject({ total: 0 });
    expect((await callOffice("GET", "/seasons", { token: boss, account: "globex" })).status).toBe(401);
    const changed = await callOffice("PATCH", "/categories/A", {
      token: other,
      account: "globex",
      body: { expected_version: 1, seats: 9 },
    });
    expect(changed.status).toBe(200);
    expect((await send("GET", "/categories/A")).resource).toMatchObject({ seats: 4, version: 1 });
  });
});

// Proves "office.md: lists and forms": A write takes two calls
test("creates, changes and deletes a resource with two database calls each", async () => {
  const calls = async (method: string, path: string, body?: unknown) =>
    (await callOffice(method, path, { token: boss, body })).headers.get("Server-Timing");
  expect(await calls("POST", "/seasons", { name: "S", periods: [] })).toContain("calls=2");
  // The first request after a catalogue change reloads it.
  await send("GET", "/seasons");
  expect(await calls("PATCH", "/categories/A", { expected_version: 1, seats: 5 })).toContain("calls=2");
  const { resource } = await send("POST", "/seasons", { name: "Other", periods: [] });
  await send("GET", "/seasons");
  expect(await calls("DELETE", `/seasons/${resource.id}?expected_version=1`)).toContain("calls=2");
});

// Proves "conventions.md: limits, caching and problem details": An ACRISS code is four letters, and is in every
//   answer of a category
test("validates a category's ACRISS code and returns it in every interface", async () => {
  for (const code of ["ECM", "E1MR", "ECMRX", "ÉCMR"]) {
    const refused = await send("PATCH", "/categories/A", { expected_version: 1, acriss_code: code });
    expect([code, refused.status, listFieldNames(refused)]).toEqual([code, 400, ["acriss_code"]]);
  }
  // The matrix of letters changes, so an unusual code isn't refused.
  const unusual = await send("PATCH", "/categories/A", { expected_version: 1, acriss_code: "qaxg" });
  expect(unusual).toMatchObject({ status: 200, resource: { acriss_code: "QAXG" } });
  const changed = await send("PATCH", "/categories/A", { expected_version: 2, acriss_code: "ecmr" });
  expect(changed).toMatchObject({ status: 200, resource: { acriss_code: "ECMR" } });
  expect(await searchProduct("A")).toMatchObject({ acriss_code: "ECMR" });
  expect(await searchProduct("B")).not.toHaveProperty("acriss_code");
  const booked = await (await postAsAgency("/booking", createAgencyReservationBody())).json();
  expect(booked).toMatchObject({ response: { reservation: { products: [{ acriss_code: "ECMR" }] } } });
  const product = await requestWorker("http://acme.localhost:8787/api/booking/frontend/products/A");
  expect(await product.json()).toMatchObject({ acriss_code: "ECMR" });
  const cart = await parseJson(await readEngine(`/shopping-cart/${await createCart("A")}?include_products=true`));
  expect([cart.products[0], ...cart.shopping_cart.items]).toMatchObject([
    { acriss_code: "ECMR" },
    { acriss_code: "ECMR" },
  ]);
  const own = await parseJson(
    await readEngine(`/booking/${(await parseJson(await checkOutCart(await createCart("A")))).free_access_id}`),
  );
  expect(own.booking.booking_lines).toMatchObject([{ acriss_code: "ECMR" }]);
  expect((await listAsErp("booking-categories")).data[0]).toMatchObject({ code: "A", acriss_code: "ECMR" });
});

test("allows disabling every kind of mail", async () => {
  const { resource } = await send("GET", "/settings");
  const disabled_mails = Object.keys(MAIL_KINDS);
  const changed = await send("PATCH", "/settings", { expected_version: resource.version, disabled_mails });
  expect([changed.status, changed.resource["disabled_mails"]]).toEqual([200, disabled_mails]);
});

// Proves "office.md": handover_checks: payment, deposit, licence, identity, signature, each off, warn or block
test("names the allowed values of each check before the hand-over", async () => {
  const { resource } = await send("GET", "/settings");
  const refused = await send("PATCH", "/settings", {
    ...{ expected_version: resource.version, default_language: "en" },
    handover_checks: { payment: "maybe", identity: 1, paymnt: "warn", deposit: "block" },
  });
  const choice = { code: "choice", params: { choices: "off, warn, block" } };
  expect([refused.status, (refused.body as { detail: unknown }).detail]).toMatchObject([
    400,
    [
      { field: "handover_checks.payment", ...choice },
      { field: "handover_checks.identity", ...choice },
      { field: "handover_checks.paymnt", code: "unknown_field" },
    ],
  ]);
});

// Proves "office.md: lists and forms": An account chooses what its websites show (booking-engine-vehicles.md)
test("stores the settings of an account's websites, and returns them to the booking engine", async () => {
  const readPrices = async () =>
    (await requestWorker("http://acme.localhost:8787/api/booking/frontend/settings")).json<
      Readonly<Record<string, unknown>>
    >();
  expect(await readPrices()).not.toHaveProperty("engine_customer_access");
  const chosen = {
    engine_customer_access: true,
    frontend_date_format: "MM/DD/YYYY",
    default_time_start: "09:30",
    prefill_selector: false,
    selector_date_to_days: 3,
    renting_form_fill_data_flight: false,
    literal_deposit_franchise: "franchise",
    deposit_literal: "Fianza",
    transfer_origin_destination_detailed_info_mode: "only_address",
  };
  const { resource } = await send("GET", "/settings");
  const changed = await send("PATCH", "/settings", { expected_version: resource.version, ...chosen });
  expect(changed).toMatchObject({ status: 200, resource: chosen });
  // Cached account data is at most one minute old.
  await openTestTenant(env).freshSnapshot();
  expect(await readPrices()).toMatchObject({ ...chosen, frontend_short_date_format: "MM/DD" });
  const invalidSettings = { frontend_date_format: "YY", selector_date_to_days: 0, default_time_end: "25:00" };
  const refused = await send("PATCH", "/settings", { expected_version: changed.resource.version, ...invalidSettings });
  expect([refused.status, listFieldNames(refused)]).toEqual([400, Object.keys(invalidSettings).toSorted()]);
});

test.each(["https://[", "https://:", "https://www.example.com:99999", "https://%"])(
  "accepts a working URL as the company's website, and rejects %s",
  async (address) => {
    const refused = await send("PATCH", "/settings", { expected_version: 1, base_url: address });
    expect([refused.status, listFieldNames(refused)]).toEqual([400, ["base_url"]]);
    const duplicateUser = await send("PATCH", "/settings", {
      expected_version: 1,
      base_url: "https://www.example.com:8443/",
    });
    expect(duplicateUser.status).toBe(200);
  },
);

// Proves "office.md: lists and forms": Settings
test("changes settings for the whole account, and rejects changes that issued documents rely on", async () => {
  const settings = await send("GET", "/settings");
  expect(settings.resource).toMatchObject({ currency: "EUR", deposit_percent: "20.00", version: 1 });
  const changed = await send("PATCH", "/settings", { expected_version: 1, grace_minutes: 60, deposit_percent: "30" });
  expect(changed).toMatchObject({ status: 200, resource: { grace_minutes: 60, deposit_percent: "30.00", version: 2 } });
  const strict = { expected_version: 2, refund_approval: "250", visitor_holds: 2 };
  expect((await send("PATCH", "/settings", strict)).resource).toMatchObject({
    refund_approval: "250.00",
    simplified_limit: "400.00",
    visitor_holds: 2,
    second_factor_from: null,
  });
  expect(
    listFieldNames(await send("PATCH", "/settings", { expected_version: 3, currency: "USD", maximum_days: 0 })),
  ).toEqual(["currency", "maximum_days"]);
});

describe("prices as a table", () => {
  const brackets = [
    { from_days: 1, to_days: 2 },
    { from_days: 3, to_days: 6 },
    { from_days: 7, to_days: null },
  ];
  const putPriceTable = (body: unknown, query = "") => send("PUT", `/prices/table${query}`, body);
  const changed = {
    brackets,
    rows: [
      { category_code: "A", prices: ["50.00", "40.00", "30.00"] },
      { category_code: "B", prices: [null, null, null] },
    ],
  };

  // Proves "office.md: lists and forms": The table of prices and its preview
  test("returns, previews and saves prices of a season and channel at once, for chosen dates", async () => {
    const read = await send("GET", "/prices/table");
    expect(read).toMatchObject({
      status: 200,
      resource: {
        season_id: null,
        version: 1,
        brackets: [{ from_days: 1, to_days: 2 }, { from_days: 1, to_days: null }, {}, {}],
      },
    });
    const dates = [{ date_from: getBookableDay(0), date_to: getBookableDay(4) }];
    const previewed = await send("POST", "/prices/preview", { ...changed, dates });
    expect(previewed.body["data"]).toMatchObject([
      { category_code: "A", days: 4, before: "125.00", after: "165.00" },
      { category_code: "B", before: "240.00", after: null },
    ]);
    expect((await searchProduct("A", 0, 4))?.price).toBe("125.00");
    const tableAnswer = await putPriceTable({ expected_version: 1, ...changed });
    expect(tableAnswer).toMatchObject({ status: 200, resource: { version: 3 } });
    expect((await searchProduct("A", 0, 4))?.price).toBe("165.00");
    expect((await send("GET", "/prices/2")).status).toBe(404);
    const back = { category_code: "B", prices: ["60.00"] };
    const undone = await putPriceTable({ expected_version: 3, brackets: [{ from_days: 1 }], rows: [back] });
    expect(undone).toMatchObject({ status: 200, resource: { version: 4 } });
    expect((await send("GET", "/prices/1/history")).body).toMatchObject({
      data: [{ before: { brackets: [{ price: "40.00" }, {}, {}] }, after: { brackets: [{ price: "50.00" }, {}, {}] } }],
    });
    const webPrices = await putPriceTable({ expected_version: 4, ...changed }, "?sales_channel=WEB");
    expect(webPrices).toMatchObject({ status: 200, resource: { sales_channel_code: "WEB" } });
  });

  // Proves "office.md: lists and forms": A table names its invalid cells
  test("rejects a price table with a gap, an overlap, an invalid amount or an older version, naming the field", async () => {
    const gap = await putPriceTable({
      expected_version: 1,
      brackets,
      rows: [{ category_code: "A", prices: ["5", null, "3"] }],
    });
    expect([listFieldNames(gap), gap.body["error"]]).toEqual([
      ["rows.0.prices.2"],
      expect.stringContaining("3–6 is not covered"),
    ]);
    const none = await putPriceTable({
      expected_version: 1,
      brackets,
      rows: [{ category_code: "NO", prices: ["5.001"] }],
    });
    expect(listFieldNames(none)).toEqual(["rows.0.prices.0"]);
    const twice = [
      { category_code: "NO", prices: ["5", "5", "5"] },
      { category_code: "NO", prices: [] },
    ];
    expect(listFieldNames(await putPriceTable({ expected_version: 1, brackets, rows: twice }))).toEqual([
      "rows.0.category_code",
      "rows.1.category_code",
      "rows.1.category_code",
    ]);
    for (const prices of [["50.00"], ["50.00", "40.00", "30.00", "20.00"]]) {
      const cut = await putPriceTable({ expected_version: 1, brackets, rows: [{ category_code: "A", prices }] });
      expect([cut.status, listFieldNames(cut)]).toEqual([400, ["rows.0.prices"]]);
      expect(cut.body["error"]).toContain("must have 3 prices");
    }
    expect(
      listFieldNames(await putPriceTable({ expected_version: 1, ...changed }, "?season=9&sales_channel=X")),
    ).toEqual(["sales_channel", "season"]);
    expect(await putPriceTable({ expected_version: 7, ...changed })).toMatchObject({
      status: 409,
      resource: { version: 1 },
    });
    expect((await send("PUT", "/prices/table", { expected_version: 1, ...changed }, desk)).status).toBe(403);
    const dates = [{ date_from: getBookableDay(4), date_to: getBookableDay(1) }];
    expect(listFieldNames(await send("POST", "/prices/preview", { ...changed, dates }))).toEqual(["dates.0.date_to"]);
  });
});

// Proves "office.md: lists and forms": `/settings/dry-run`, `/gateways/{method}/test`
test("reports what prevents an account from selling, charging and invoicing, and each gateway's readiness", async () => {
  const codes = async () =>
    ((await send("POST", "/settings/dry-run")).body["data"] as readonly { code: string }[]).map(({ code }) => code);
  const steps = async () =>
    (
      (await send("POST", "/settings/dry-run")).body["steps"] as readonly {
        name: string;
        done: boolean;
        missing: string[];
      }[]
    ).flatMap(({ name, done, missing }) => (done ? [] : [[name, ...missing]]));
  expect(await codes()).toEqual(["no_method", "no_tax_number", "no_address", "one_administrator"]);
  await send("POST", "/categories", { code: "NEW", name: "New", vat_percent: "21" });
  await send("PATCH", "/settings", { expected_version: 1, payment_methods: ["tpvA256"], payment_options: ["total"] });
  expect(await codes()).toEqual(["no_price", "gateway_closed", "no_tax_number", "no_address", "one_administrator"]);
  expect((await send("POST", "/gateways/tpvA256/test")).status).toBe(404);
  const merchant = { merchantCode: "999008881", terminal: "1", signatureVersion: "HMAC_SHA256_V1" };
  const secret = "sq7HjrUOBfKmC576ILgskD5srU870gJ7";
  await send("POST", "/gateways", { method: "tpvA256", environment: "stand_in", merchant, secret });
  expect((await send("POST", "/gateways/tpvA256/test")).body).toMatchObject({ ready: true, reasons: [] });
  expect(await codes()).not.toContain("gateway_closed");
  await env.TENANT_ACME.prepare("UPDATE settings SET currency = 'KWD', currency_decimals = 3").run();
  expect(await codes()).toContain("gateway_closed");
  expect((await send("POST", "/gateways/tpvA256/test")).body).toMatchObject({
    ready: false,
    reasons: [{ code: "currency_unsupported", params: { currency: "KWD" } }],
  });
  await env.TENANT_ACME.prepare("UPDATE settings SET currency = 'EUR', currency_decimals = 2").run();
  expect(await steps()).toEqual([
    ["branches"],
    ["hours", "Town branch", "Island branch"],
    ["vehicles", "NEW"],
    ["prices", "NEW"],
    ["website"],
  ]);
  expect((await send("POST", "/settings/dry-run", undefined, manager)).status).toBe(403);
});

test("refuses a webhook secret for a gateway whose notifications have none, and stores nothing", async () => {
  const merchant = { merchantCode: "999008881", terminal: "1", signatureVersion: "HMAC_SHA256_V1" };
  const gateway = { method: "tpvA256", environment: "stand_in", merchant, secret: "sq7HjrUOBfKmC576ILgskD5srU870gJ7" };
  const refusal = { status: 400, body: { detail: [{ field: "webhook_secret", code: "unknown_field" }] } };
  const webhookSecret = { webhook_secret: "whsec_1234" };
  expect(await send("POST", "/gateways", { ...gateway, ...webhookSecret })).toMatchObject(refusal);
  expect(await send("POST", "/gateways", gateway)).toMatchObject({ status: 201 });
  const change = { expected_version: 1, hold_days: 25, ...webhookSecret };
  expect(await send("PATCH", "/gateways/tpvA256", change)).toMatchObject(refusal);
  expect((await send("GET", "/gateways/tpvA256")).body).toMatchObject({ gateway: { version: 1, hold_days: 7 } });
});

// Proves "office.md: lists and forms": A promotion code of one channel (rules.md)
test("applies a sales channel's promotion code to no other channel", async () => {
  const code = { code: "only-web", discount_type: "percentage", value: "50", sales_channel_code: "WEB" };
  expect(await send("POST", "/promotion-codes", code)).toMatchObject({
    status: 201,
    resource: { code: "ONLY-WEB", id: "ONLY-WEB" },
  });
  expect((await send("GET", "/promotion-codes/only-web")).status).toBe(200);
  const expectedPrices = {
    date_from: getBookableDay(0),
    time_from: "10:00",
    date_to: getBookableDay(3),
    time_to: "10:00",
    pickup_place: 1,
    return_place: 1,
    category_code: "A",
    promotion_code: "ONLY-WEB",
  };
  const customer = { name: "Ana", surname: "Ruiz" };
  const quote = async (more = {}) =>
    (await send("POST", "/reservations/quote", { ...expectedPrices, customer, ...more })).body;
  expect(await quote()).toMatchObject({ available: false, reasons: [{ field: "promotion_code" }] });
  expect(await quote({ sales_channel_code: "WEB" })).toMatchObject({ available: true, quote: { item_cost: "45.00" } });
});

describe("document series", () => {
  const COUNT = "SELECT last_number FROM number_series WHERE serie = 'A-AIR-30'";

  // Proves "office.md: the vehicles of a contract": A serie goes on from another system, by version, with a history
  test("creates a series that continues another system's numbers, with version check and history", async () => {
    const createdKey = await send("POST", "/document-series", {
      serie: "A-AIR-30",
      last_number: 120,
      last_date: "2020-05-31",
    });
    expect(createdKey).toMatchObject({
      status: 201,
      resource: { id: "A-AIR-30~1", serie: "A-AIR-30", company_id: 1, last_number: 120, version: 1 },
    });
    const again = await send("POST", "/document-series", { serie: "A-AIR-30", last_number: 1 });
    expect([again.status, again.body["code"]]).toEqual([409, "taken"]);
    const path = "/document-series/A-AIR-30~1";
    const changed = await send("PATCH", path, { expected_version: 1, last_number: 119, note: "as printed" });
    expect(changed).toMatchObject({ status: 200, resource: { last_number: 119, note: "as printed", version: 2 } });
    expect((await send("PATCH", path, { expected_version: 1, note: "late" })).body["code"]).toBe("changed_meanwhile");
    expect(listFieldNames(await send("PATCH", path, { expected_version: 2, serie: "B", last_number: -1 }))).toEqual([
      "last_number",
      "serie",
    ]);
    const { body } = await send("GET", `${path}/history`);
    expect(body["data"]).toMatchObject([
      { move: "changed", version: 2, before: { last_number: 120 }, after: { last_number: 119 } },
      { move: "created", version: 1 },
    ]);
    const noted = { serie: "B-AIR-30", note: "Ávila, O’Hara, Nguyễn" };
    expect((await send("POST", "/document-series", noted)).status).toBe(201);
    for (const text of ["Ávila", "avila", "ÁVILA", "O'hara", "NGUYEN"])
      expect(await send("GET", `/document-series?q=${encodeURIComponent(text)}`), text).toMatchObject({
        body: { total: 1, data: [{ serie: "B-AIR-30" }] },
      });
    const listed = await send("GET", "/document-series?q=a-air");
    expect(listed.body).toMatchObject({ total: 1, data: [{ serie: "A-AIR-30" }] });
    expect((await send("POST", "/document-series", { serie: "X-1" }, manager)).status).toBe(403);
    expect((await send("DELETE", `${path}?expected_version=2`)).status).toBe(204);
    expect(await env.TENANT_ACME.prepare(COUNT).first()).toBeNull();
    expect(
      listFieldNames(await send("POST", "/document-series", { serie: "A-AIR-30", last_date: "2199-01-01" })),
    ).toEqual(["last_date"]);
    expect(await send("POST", "/document-series", { serie: "A-AIR-30" })).toMatchObject({
      status: 201,
      resource: { last_number: 0, version: 4 },
    });
  });

  // Proves "office.md: the vehicles of a contract": A serie with documents keeps its number
  test("issues documents with the next number of a series, and rejects lowering the number or deleting the series", async () => {
    await env.TENANT_ACME.batch([env.TENANT_ACME.prepare("UPDATE settings SET series_pattern = '{kind}-{branch}'")]);
    await insertCheckInRental({ status: "done" });
    const serie = "T-AIR";
    expect(await send("POST", "/document-series", { serie, last_number: 41, last_date: "2020-01-31" })).toMatchObject({
      status: 201,
    });
    const issue = { request_id: "series-0001", issued: true };
    const issued = await callApi("POST", "/booking/7/documents", { token: boss, body: issue });
    expect(await issued.json()).toMatchObject({ invoices: [{ serie, number: "42" }] });
    const path = `/document-series/${serie}~1`;
    const back = await send("PATCH", path, { expected_version: 1, last_number: 10 });
    expect([back.status, back.body["code"]]).toEqual([409, "in_use"]);
    const later = await send("PATCH", path, { expected_version: 1, last_date: "2020-01-01" });
    expect([later.status, later.body["code"]]).toEqual([409, "in_use"]);
    expect(await send("PATCH", path, { expected_version: 1, note: "airport" })).toMatchObject({
      status: 200,
      resource: { last_number: 42, version: 2 },
    });
    expect((await send("DELETE", path)).body["code"]).toBe("in_use");
  });

  test("rejects invalid tax agency codes of tax rates, and rates that aren't written with two decimals", async () => {
    const { resource: settings } = await send("GET", "/settings");
    const change = (body: object) => send("PATCH", "/settings", { expected_version: settings.version, ...body });
    expect(listFieldNames(await change({ tax_rate_codes: { zero: "E5", "0.00": "free", "21": "S1" } }))).toEqual([
      "tax_rate_codes.0.00",
      "tax_rate_codes.21",
      "tax_rate_codes.zero",
    ]);
    expect(listFieldNames(await change({ tax_rate_codes: [] }))).toEqual(["tax_rate_codes"]);
    const codes = { "0.00": "02:E2", "4.00": "S1" };
    expect(await change({ tax_rate_codes: codes })).toMatchObject({ status: 200, resource: { tax_rate_codes: codes } });
  });

  // Proves "office.md: the vehicles of a contract": Series by the account's pattern and letters
  test("names a series by the account's pattern and letters, separately by kind", async () => {
    const { resource: settings } = await send("GET", "/settings");
    expect(settings).toMatchObject({ series_pattern: "{kind}-{branch}-{yy}" });
    const change = (body: object) => send("PATCH", "/settings", { expected_version: settings.version, ...body });
    for (const invalidPattern of ["{branch}-{yy}", "{kind}-{month}", "{kind}~1", "{kind"])
      expect(listFieldNames(await change({ series_pattern: invalidPattern })), invalidPattern).toEqual([
        "series_pattern",
      ]);
    const letters = { full: "F", advance: "F", simplified: "S", credit_note: "R", internal_bond: "B" };
    expect(listFieldNames(await change({ series_letters: { ...letters, credit_note: "F", advance: "" } }))).toEqual([
      "series_letters.advance",
      "series_letters.credit_note",
    ]);
    expect(listFieldNames(await change({ series_letters: { ...letters, advance: "S", bond: "X" } }))).toEqual([
      "series_letters.advance",
      "series_letters.bond",
    ]);
    expect(await change({ series_letters: letters, series_pattern: "{kind}/{year}" })).toMatchObject({
      status: 200,
      resource: { series_letters: letters, series_pattern: "{kind}/{year}" },
    });
    await insertCheckInRental({ status: "done" });
    // The next read updates the settings, then the desk uses them.
    await send("GET", "/settings");
    const issue = { request_id: "series-0002", issued: true };
    const issued = await callApi("POST", "/booking/7/documents", { token: boss, body: issue });
    const { invoices } = await issued.json<{ invoices: { serie: string; number: string }[] }>();
    expect(invoices[0]?.serie).toMatch(/^S\/20\d\d$/);
    expect(invoices[0]?.number).toBe("1");
  });
});

describe("changes visible to integration partners", () => {
  const aged = ["vehicles", "bookings", "documents", "customers", "charges"];
  const changedSince = async (path: string, moment: number) =>
    (await listAsErp(`${path}?updated_from=${encodeURIComponent(new Date(moment).toISOString())}`)).total;

  beforeEach(async () => {
    await insertContracts([{ id: 1 }, { id: 2 }]);
    const db = env.TENANT_ACME;
    await db
      .prepare(`INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update)
      VALUES (1, 'booking', 'charge', 'cash', 5, 100, 'EUR', 'AIR', 5, 5)`)
      .run();
    await db.batch(aged.map((table) => db.prepare(`UPDATE ${table} SET last_update = 5`)));
  });

  test("marks a category's vehicles and contracts as changed for partners by a new ACRISS code or deactivation", async () => {
    const before = Date.now() - 1;
    const fleet = (await listAsErp("booking-items")).data.filter((item) => item["category_code"] === "A").length;
    const category = (await send("GET", "/categories/A")).resource;
    const changed = await send("PATCH", "/categories/A", { expected_version: category.version, acriss_code: "CDMR" });
    expect(changed.status).toBe(200);
    expect([await changedSince("reservations", before), await changedSince("booking-items", before)]).toEqual([
      2,
      fleet,
    ]);
    await env.TENANT_ACME.prepare("UPDATE bookings SET last_update = 5").run();
    const again = await send("PATCH", "/categories/A", {
      expected_version: changed.resource.version,
      acriss_code: "CDMR",
    });
    expect(await changedSince("reservations", before)).toBe(0);
    await send("PATCH", "/categories/A", { expected_version: again.resource.version, active: false });
    expect(await changedSince("reservations", before)).toBe(2);
  });

  test("marks all data with sales channels as changed for partners if the second channel is added or deleted", async () => {
    const db = env.TENANT_ACME;
    await db.prepare("DELETE FROM sales_channels WHERE code NOT IN (SELECT min(code) FROM sales_channels)").run();
    const before = Date.now() - 1;
    expect((await send("POST", "/sales-channels", { code: "WALK", name: "Walk-in" })).status).toBe(201);
    expect(await changedSince("charges", before)).toBe(1);
    await db.prepare("UPDATE charges SET last_update = 5").run();
    expect((await send("POST", "/sales-channels", { code: "FAIR", name: "Fair" })).status).toBe(201);
    expect(await changedSince("charges", before)).toBe(0);
    await send("DELETE", "/sales-channels/FAIR", { expected_version: 1 });
    await send("DELETE", "/sales-channels/WALK", { expected_version: 1 });
    expect(await changedSince("charges", before)).toBe(1);
  });
});
