import { createHash } from "node:crypto";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { countFreeUnits, type StockAllocation } from "#domain/bookings/availability.ts";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import { type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { seedIfEmpty } from "#scripts/demo/seed.ts";
import { DEMO_MASTER_KEY, DEMO_TIME, openCopiedDemo, openFilledDemo } from "#support/demo-data.ts";
import { chooseForGate } from "#support/gate-sample.ts";
import { createSqliteD1, type SqliteD1 } from "#support/sqlite-d1.ts";
import { matchesPasswordHash } from "#worker/auth/passwords.ts";
import { decryptSecret } from "#worker/auth/secret-encryption.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { demoPhotoRoutes } from "#worker/development/demo-photos.ts";

const quiet = { now: DEMO_TIME, masterKey: DEMO_MASTER_KEY, log: () => undefined };
const filled = new Map<string, SqliteD1>();

beforeAll(async () => {
  filled.set("acme", await openCopiedDemo("acme"));
  filled.set("globex", await openCopiedDemo("globex"));
});

function demo(account: string): SqliteD1 {
  const database = filled.get(account);
  if (!database) throw new Error(`${account} was not filled`);
  return database;
}

function count(account: string, from: string): number {
  return Number(demo(account).rows(`SELECT count(*) AS n FROM ${from}`)[0]?.["n"]);
}

/** Returns a digest of each table's rows, without freshly salted values and creation times. */
// Installation ids are unique per database and occur in records and chains.
function readContent({ rows }: SqliteD1): Record<string, string> {
  const tables = rows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT IN ('catalogue_version', 'stock_version', 'upkeep', 'security_events', 'tax_installation')",
  );
  const digest = (name: string) => {
    const content = rows(`SELECT * FROM ${name}`).map(
      ({ secret_sealed, ses_password_sealed, password_hash, chain, content, ...row }) => row,
    );
    return createHash("sha256").update(JSON.stringify(content)).digest("hex");
  };
  return Object.fromEntries(tables.map(({ name }) => [name, digest(name)]));
}

describe("demo page promises", () => {
  it("names categories, places, extras and transfer points of acme in every language of visitors", () => {
    const tables = [
      ["booking_category", "categories", "code"],
      ["pickup_place", "pickup_places", "id"],
      ["extra", "extras", "code"],
      ["transfer_point", "transfer_points", "id"],
      ["driver_age_rule", "driver_age_rules", "id"],
    ] as const;
    for (const [entity, table, key] of tables) {
      const missing = demo("acme").rows(
        `SELECT entry.${key}, language.value FROM ${table} AS entry, json_each(?) AS language
          WHERE NOT EXISTS (SELECT 1 FROM translations AS known WHERE known.entity = '${entity}'
            AND known.entity_id = CAST(entry.${key} AS TEXT) AND known.language = language.value)`,
        JSON.stringify(PLATFORM_LANGUAGES.filter((language) => language !== "es")),
      );
      expect([entity, missing]).toEqual([entity, []]);
    }
  });

  it.each([
    ["acme", "branch_groups", 2],
    ["acme", "branches", 3],
    ["acme", "pickup_places", 6],
    ["acme", "categories", 8],
    ["acme", "bookings WHERE kind = 'rental'", 3000],
    ["acme", "bookings WHERE kind = 'transfer'", 40],
    ["acme", "transfer_points", 10],
    ["acme", "transfer_vehicles", 3],
    ["globex", "transfer_points", 0],
    ["globex", "branch_groups", 1],
    ["globex", "branches", 1],
    ["globex", "pickup_places", 1],
    ["globex", "categories", 3],
    ["globex", "bookings", 200],
  ])("has in the demo account %s the documented number of %s: %i", (account, table, expected) => {
    expect(count(account, table)).toBe(expected);
  });

  it("has at least 60 vehicles in acme and 10 in globex, and one vehicle of category UNIQ", () => {
    expect(count("acme", "vehicles WHERE active = 1 AND assignable = 1")).toBeGreaterThanOrEqual(60);
    expect(count("globex", "vehicles WHERE active = 1 AND assignable = 1")).toBeGreaterThanOrEqual(10);
    expect(count("acme", "vehicles WHERE category_code = 'UNIQ'")).toBe(1);
  });

  it("has an existing picture for every category, extra and transfer vehicle of the demo", async () => {
    const pictures = (account: string, table: string, full = "photo_full_path") =>
      demo(account).rows<Record<string, string | null>>(`SELECT photo_path AS medium, ${full} AS whole FROM ${table}`);
    const all = [
      ...pictures("acme", "category_photos", "full_photo_path"),
      ...["extras", "transfer_vehicles", "transfer_extras"].flatMap((table) => pictures("acme", table)),
      ...pictures("globex", "extras"),
    ];
    const withoutPhoto = "SELECT code FROM categories WHERE code NOT IN (SELECT category_code FROM category_photos)";
    expect(demo("acme").rows(withoutPhoto)).toEqual([]);
    for (const path of new Set(all.flatMap(({ medium, whole }) => [medium, whole]))) {
      expect(path).toMatch(/^\/demo-photos\//);
      const photoResponse = await demoPhotoRoutes.request(String(path).replace("/demo-photos", ""));
      expect([path, photoResponse.status]).toEqual([path, 200]);
    }
  });

  it("has acme's transfers from two weeks ago to four weeks ahead, some cancelled, some with a return", () => {
    const countTransfers = (condition: string) =>
      count("acme", `transfer_trips JOIN bookings ON bookings.id = booking_id WHERE ${condition}`);
    const [{ first, last, today }] = demo("acme").rows<{ first: string; last: string; today: string }>(
      `SELECT min(date_from) AS first, max(date_from) AS last, date(${DEMO_TIME.getTime()} / 1000, 'unixepoch') AS today FROM bookings WHERE kind = 'transfer'`,
    ) as [{ first: string; last: string; today: string }];
    expect(countTransfers(`date = '${today}' AND status = 'confirmed'`)).toBeGreaterThanOrEqual(5);
    expect(countTransfers("status = 'cancelled' AND position = 1")).toBeGreaterThanOrEqual(3);
    expect(countTransfers("position = 2")).toBeGreaterThanOrEqual(8);
    const daysFromToday = (date: string) => (Date.parse(date) - Date.parse(today)) / 86_400_000;
    expect(daysFromToday(first)).toBeGreaterThanOrEqual(-14);
    expect(daysFromToday(first)).toBeLessThan(0);
    expect(daysFromToday(last)).toBeLessThanOrEqual(28);
    expect(daysFromToday(last)).toBeGreaterThan(14);
  });

  it("has bookings of the last two years at acme and half a year at globex", () => {
    const first = (account: string) => demo(account).rows("SELECT min(date_from) AS first FROM bookings")[0]?.["first"];
    expect(String(first("acme")).slice(0, 7)).toBe("2024-11");
    expect(String(first("globex")).slice(0, 7)).toBe("2026-05");
  });

  it("uses the documented currencies, time zones and languages in the demo accounts", () => {
    const settings = (account: string) =>
      demo(account).rows("SELECT currency, timezone, languages, engine_requires_api_key AS keyed FROM settings")[0];
    expect(settings("acme")).toEqual({
      currency: "EUR",
      timezone: "Europe/Madrid",
      languages: '["es","en","ca","de"]',
      keyed: 0,
    });
    expect(settings("globex")).toEqual({
      currency: "USD",
      timezone: "America/New_York",
      languages: '["en"]',
      keyed: 1,
    });
  });

  it("offers down payment and total by four payment methods, and bookings on request, in acme", () => {
    const [settings] = demo("acme").rows("SELECT payment_options, payment_methods, request_allowed FROM settings");
    expect(settings).toEqual({
      payment_options: '["deposit","total"]',
      payment_methods: '["tpvA256","tpvB","tpvC","wallet_standard"]',
      request_allowed: 1,
    });
  });

  it("accepts the documented credentials of the demo, which are stored encrypted or hashed", async () => {
    for (const { account, partnerKeys, engineKey, users } of demoAccounts) {
      const { rows } = demo(account);
      for (const { apiKey, secret } of partnerKeys) {
        const [key] = rows<{ sealed: string }>(
          "SELECT secret_sealed AS sealed FROM partner_keys WHERE api_key = ?",
          apiKey,
        );
        expect(await decryptSecret({ name: account, masterKey: DEMO_MASTER_KEY }, key?.sealed ?? "")).toBe(secret);
      }
      for (const { username, password } of users) {
        const [user] = rows<{ hash: string }>("SELECT password_hash AS hash FROM users WHERE username = ?", username);
        expect(await matchesPasswordHash(password, user?.hash ?? "")).toBe(true);
      }
      expect(count(account, `engine_keys WHERE api_key = '${engineKey.apiKey}'`)).toBe(1);
    }
  });

  it("gives each demo key its scopes, and each user the branches of their role", () => {
    const { rows } = demo("acme");
    expect(rows("SELECT api_key, scope_ota, scope_integration, scope_analytics, agency_id FROM partner_keys")).toEqual([
      { api_key: "acme-agency", scope_ota: 1, scope_integration: 0, scope_analytics: 0, agency_id: 1 },
      { api_key: "acme-agency-2", scope_ota: 1, scope_integration: 0, scope_analytics: 0, agency_id: 2 },
      { api_key: "acme-books", scope_ota: 0, scope_integration: 1, scope_analytics: 0, agency_id: null },
      { api_key: "acme-erp", scope_ota: 0, scope_integration: 1, scope_analytics: 1, agency_id: null },
    ]);
    const users = "SELECT username, all_branches, branch_code FROM users LEFT JOIN user_branches ON user_id = id";
    expect(rows(`${users} ORDER BY id`)).toEqual([
      { username: "staff@acme.test", all_branches: 1, branch_code: null },
      { username: "airport@acme.test", all_branches: 0, branch_code: "PMI" },
      { username: "customer@acme.test", all_branches: 0, branch_code: null },
      { username: "agent@acme.test", all_branches: 1, branch_code: null },
      { username: "manager@acme.test", all_branches: 1, branch_code: null },
    ]);
    const own = "bookings JOIN users USING (customer_id) WHERE username = 'customer@acme.test' AND status";
    expect(count("acme", `${own} = 'done'`)).toBeGreaterThan(1);
    expect(count("acme", `${own} = 'confirmed'`)).toBe(1);
  });

  it("has a cancelled booking with money to refund in the demo", () => {
    const refundableSql =
      "bookings WHERE status = 'cancelled' AND total_paid_cents > cancellation_fee_cents - credited_cents";
    expect(count("acme", refundableSql)).toBeGreaterThan(0);
  });

  it("has supplements, extras, promotion codes, priced places and one-way rentals in the demo", () => {
    expect(
      count("acme", "promotion_codes WHERE code = 'WELCOME10' AND discount_type = 'percentage' AND value = 1000"),
    ).toBe(1);
    expect(count("acme", "bookings WHERE promotion_code = 'WELCOME10'")).toBeGreaterThan(10);
    expect(count("acme", "driver_age_rules WHERE cost_cents > 0 AND allowed = 1")).toBeGreaterThan(0);
    expect(count("acme", "settings WHERE out_of_hours_allowed = 1 AND out_of_hours_pickup_cents > 0")).toBe(1);
    expect(count("acme", "pickup_places WHERE price_cents > 0")).toBeGreaterThan(0);
    expect(count("acme", "extras WHERE max_quantity = 1")).toBeGreaterThan(0);
    expect(count("acme", "extras WHERE max_quantity > 1")).toBeGreaterThan(0);
    expect(count("acme", "bookings WHERE pickup_place_id = 1 AND return_place_id = 5")).toBeGreaterThan(0);
    expect(count("acme", "tariff_brackets WHERE price_per = 'bracket'")).toBeGreaterThan(0);
  });

  it("has every name of the demo in every language of its account", () => {
    const needed = `SELECT 'pickup_place' AS entity, id AS entity_id, 'name' AS field FROM pickup_places
      UNION ALL SELECT 'booking_category', code, value FROM categories, json_each('["name","short_description","description"]')
      UNION ALL SELECT 'extra', code, value FROM extras, json_each('["name","description"]')
      UNION ALL SELECT 'family', id, 'name' FROM families
      UNION ALL SELECT 'driver_age_rule', id, 'description' FROM driver_age_rules
      UNION ALL SELECT 'offer', id, 'name' FROM offers`;
    const missing = `SELECT needed.*, language.value FROM (${needed}) AS needed, settings, json_each(settings.languages) AS language
      WHERE language.value <> default_language AND NOT EXISTS (SELECT 1 FROM translations AS one WHERE one.entity = needed.entity
        AND one.entity_id = CAST(needed.entity_id AS TEXT) AND one.field = needed.field AND one.language = language.value AND length(one.text) > 1)`;
    expect(demo("acme").rows(missing)).toEqual([]);
    expect(demo("globex").rows(missing)).toEqual([]);
  });
});

describe("the calendar", () => {
  it.each(["2026-11-19", "2026-11-20", "2026-11-21"])(
    "has deliveries and collections in every branch of acme on %s",
    (date) => {
      const busy = (column: string, branch: string) =>
        demo("acme").rows(
          `SELECT ${branch} AS branch, count(*) AS n FROM bookings WHERE ${column} = ? AND status NOT IN ('cancelled', 'pending_confirmation')
          GROUP BY 1 HAVING count(*) > 1 ORDER BY 1`,
          date,
        );
      const branches = ["MAH", "PALMA", "PMI"];
      expect(busy("date_from", "branch_code").map(({ branch }) => branch)).toEqual(branches);
      expect(busy("date_to", "return_branch_code").map(({ branch }) => branch)).toEqual(branches);
    },
  );

  it.each(["2026-11-21", "2026-11-22", "2026-11-23"])(
    "has a delivery and a return still due at globex on the morning of %s, Sunday included",
    async (date) => {
      const { rows } = await openFilledDemo("globex", new Date(`${date}T14:00:00Z`));
      const counts = rows(`SELECT sum(date_from = '${date}' AND status = 'confirmed') > 0 AS deliveries,
        sum(date_to = '${date}' AND status = 'in_progress') > 0 AS returns FROM bookings`);
      expect(counts).toEqual([{ deliveries: 1, returns: 1 }]);
    },
  );

  it("has a free vehicle in every category of acme on some dates of next month", () => {
    const span = { startsAt: toMinute("2026-12-10"), endsAt: toMinute("2026-12-14") };
    const { rows } = demo("acme");
    const pools = rows<{ code: string; storage: number; stock: number }>(
      `SELECT category_code AS code, branch_group_id AS storage, count(*) AS stock FROM vehicles
        WHERE active = 1 AND assignable = 1 GROUP BY 1, 2`,
    );
    const occupiedSql =
      "SELECT starts_at AS startsAt, ends_at AS endsAt, quantity FROM stock_allocations WHERE kind = 'category' AND code = ? AND branch_group_id = ?";
    const free = pools.filter(
      ({ code, storage, stock }) =>
        countFreeUnits(stock, rows<StockAllocation & object>(occupiedSql, code, storage), span) > 0,
    );
    expect(new Set(free.map(({ code }) => code)).size).toBe(8);
  });
});

describe("sales and billing of acme", () => {
  const moments = ["2026-11-20T09:40:00Z", "2027-01-02T07:00:00Z", "2027-06-30T20:00:00Z"];
  it.each(chooseForGate(moments, 1))(
    "has quotes, payment links, card holds, company invoices, notes and tasks in every state at %s",
    async (moment) => {
      const now = new Date(moment);
      const { rows } = now.getTime() === DEMO_TIME.getTime() ? demo("acme") : await openFilledDemo("acme", now);
      const list = (column: string, from: string) =>
        rows(`SELECT DISTINCT ${column} AS value FROM ${from} ORDER BY 1`).map(({ value }) => value);
      const state = `CASE WHEN status IN ('draft', 'sent') AND valid_until <= ${now.getTime()} THEN 'expired' ELSE status END`;
      expect(list(state, "quotes")).toEqual(["accepted", "declined", "draft", "expired", "sent"]);
      expect(list("status", "quotes WHERE sold_out_at IS NOT NULL")).toEqual(["sent"]);
      expect(list("status", "payment_links")).toEqual(["authorised", "cancelled", "open", "paid"]);
      expect(list("status", "payment_holds")).toEqual(["authorised", "captured", "released", "requested"]);
      expect(rows("SELECT count(*) AS contracts FROM document_contracts GROUP BY document_id")).toEqual([
        { contracts: 2 },
      ]);
      expect(list("period", "booking_billing")).toEqual([null, "month"]);
      expect(list("due_date > date", "documents WHERE due_date IS NOT NULL")).toEqual([1]);
      expect(list("count(*)", "customers WHERE do_not_rent_reason IS NOT NULL")).toEqual([1]);
      expect(list("count(*)", "accepted_shortages")).toEqual([1]);
      expect(list("done_at IS NULL", "office_tasks")).toEqual([0, 1]);
      expect(list("booking_id IS NULL", "notes")).toEqual([0, 1]);
      expect(
        list("paid_on IS NULL", "agency_commissions JOIN bookings ON id = booking_id WHERE status = 'done'"),
      ).toEqual([0, 1]);
      const today = moment.slice(0, 10);
      expect(
        list("count(*) > 0", `vehicles WHERE service_due BETWEEN '${today}' AND date('${today}', '14 days')`),
      ).toEqual([1]);
    },
  );

  it("has special hours at Christmas and the company's own message template in acme", () => {
    const { rows } = demo("acme");
    expect(
      rows(`SELECT date, opens, closes FROM special_dates LEFT JOIN special_date_hours ON special_date_id = id
        WHERE date LIKE '2026-%' ORDER BY date`),
    ).toEqual([
      { date: "2026-12-24", opens: "09:00", closes: "14:00" },
      { date: "2026-12-25", opens: null, closes: null },
    ]);
    expect(rows("SELECT template, language FROM message_templates")).toEqual([
      { template: "thank_you", language: "es" },
    ]);
  });

  it("links acme's quotes and collective invoices to matching customers and reservations", () => {
    const { rows } = demo("acme");
    expect(
      rows(`SELECT quotes.id FROM quotes JOIN bookings ON bookings.id = quotes.booking_id
        WHERE bookings.customer_id <> quotes.customer_id OR bookings.total_cents <> quotes.total_cents
          OR bookings.date_from <> quotes.date_from OR bookings.date_to <> quotes.date_to`),
    ).toEqual([]);
    expect(
      rows(`SELECT part.booking_id FROM document_contracts AS part JOIN documents ON documents.id = part.document_id
        LEFT JOIN booking_billing AS billing ON billing.booking_id = part.booking_id
        WHERE billing.customer_id IS NOT documents.customer_id`),
    ).toEqual([]);
  });
});

function toMinute(date: string): number {
  return toCivilMinute(date as CivilDate, "10:00" as TimeText);
}

describe("filling", () => {
  it("creates identical demo rows for the same time", async () => {
    const account = inject("isThorough") ? "acme" : "globex";
    expect(readContent(await openFilledDemo(account))).toEqual(readContent(demo(account)));
  });

  it("doesn't fill an account that already has settings with demo data", async () => {
    const database = await openCopiedDemo("globex");
    const before = readContent(database);
    expect(await seedIfEmpty("globex", database.db, { ...quiet, now: new Date("2027-02-01T12:00:00Z") })).toBe(false);
    expect(readContent(database)).toEqual(before);
  });

  it.each(inject("isThorough") ? [2, 7] : [7])("restarts if it was interrupted before batch %i", async (batches) => {
    const database = createSqliteD1();
    let remainingBatches = batches;
    const cut = Object.assign({}, database.db, {
      batch: <T>(statements: D1PreparedStatement[]) =>
        remainingBatches-- > 0 ? database.db.batch<T>(statements) : Promise.reject(new Error("killed")),
    });
    await expect(seedIfEmpty("globex", cut, quiet)).rejects.toThrow("killed");
    expect(database.rows("SELECT * FROM settings")).toEqual([]);
    expect(await seedIfEmpty("globex", database.db, quiet)).toBe(true);
    expect(readContent(database)).toEqual(readContent(demo("globex")));
  });

  it("restores all triggers after filling an account with demo data", async () => {
    const database = createSqliteD1();
    const triggers = () => database.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name");
    const before = triggers();
    await seedIfEmpty("globex", database.db, quiet);
    await database.db.prepare("DELETE FROM settings").run();
    await seedIfEmpty("globex", database.db, quiet);
    expect(triggers()).toEqual(before);
  });
});
