import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import {
  createCollectionMessage,
  createDeliveryMessage,
  insertCheckInRental,
  sendCheckInOperation,
} from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice, createSaleBody } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";

let boss = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
});

type Figures = Readonly<Record<string, string | number>>;
interface ReportAnswer {
  readonly data: readonly { readonly period: string; readonly group: string | null; readonly figures: Figures }[];
  readonly totals: Figures;
  readonly previous: { readonly from: string; readonly totals: Figures } | null;
}

const report = async (path: string): Promise<ReportAnswer> => {
  const response = await callOffice("GET", `/reports/${path}`, { token: boss });
  expect([path, response.status]).toEqual([path, 200]);
  return response.json<ReportAnswer>();
};

const analytics = async (path: string) =>
  (
    await requestWorker(`http://acme.localhost:8787/api/v1/analysis/${path}`, { headers: { Authorization: boss } })
  ).json<{
    data: Readonly<Record<string, string | number>>[];
    summary: Readonly<Record<string, string | number>>[];
  }>();

/** Creates a closed rental over the end of May with a child seat. */
async function insertClosedRental() {
  await insertCheckInRental({
    from: "2024-05-31",
    to: "2024-06-03",
    extras: [{ code: "SEAT", quantity: 1, unitCents: 1200 }],
  });
  await env.TENANT_ACME.prepare("UPDATE bookings SET days = 3").run();
  await sendCheckInOperation(boss, createDeliveryMessage({ recorded_at: "2024-05-31T08:00:00.000Z" }));
  await sendCheckInOperation(boss, createCollectionMessage({ recorded_at: "2024-06-03T08:00:00.000Z" }));
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("INSERT OR IGNORE INTO expense_accounts (id, name) VALUES (62, 'Repairs')"),
    env.TENANT_ACME.prepare(
      "INSERT OR IGNORE INTO expense_concepts (id, expense_account_id, name) VALUES (1, 62, 'Tyres')",
    ),
    env.TENANT_ACME.prepare(`INSERT INTO expenses (vehicle_reference, expense_concept_id, date, branch_code, branch_group_id,
      total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents) VALUES ('A-1', 1, '2024-06-15', 'AIR', 1, 10000, 10000, 2100, 12100)`),
  ]);
}

const YEAR = "from=2024-01-01&to=2024-12-31";

describe("reports", () => {
  test("returns the same revenue as the yearly analytics reports, by every period and group", async () => {
    await insertClosedRental();
    const cents = (value: unknown) => Math.round(Number(value) * 100);
    const summaries = await Promise.all(
      [
        "products-billing?year=2024&report_type=monthly_billing_report",
        "extras-billing?year=2024&report_type=extras_with_taxes",
        "supplements-billing?year=2024&report_type=supplements_with_taxes",
      ].map(async (path) => (await analytics(path)).summary[0]),
    );
    const yearly = (month: string) => summaries.reduce((sum, row) => sum + cents(row?.[month] ?? 0), 0);
    expect(yearly("total")).toBeGreaterThan(0);
    for (const by of ["day", "week", "month"])
      for (const group of ["", "category", "vehicle", "branch", "channel", "agency", "agent", "customer"]) {
        const { totals, data } = await report(`revenue?${YEAR}&by=${by}${group && `&group=${group}`}`);
        expect([by, group, cents(totals["gross"])]).toEqual([by, group, yearly("total")]);
        const sum = data.reduce((total, { figures }) => total + cents(figures["gross"]), 0);
        expect(sum).toBe(yearly("total"));
      }
    const months = await report(`revenue?${YEAR}&by=month`);
    expect(months.data.map(({ period, figures }) => [period, cents(figures["gross"])])).toEqual([
      ["2024-05-01", yearly("5")],
      ["2024-06-01", yearly("6")],
    ]);
    const extras = await report(`revenue?${YEAR}&group=extra`);
    expect(cents(extras.totals["gross"])).toBe(cents(summaries[1]?.["total"]));
    const expenses = await report(`expenses?${YEAR}&group=vehicle`);
    const expenseAnalytics = await analytics("expenses?year=2024");
    expect(expenses.totals["total"]).toBe([expenseAnalytics.summary].flat()[0]?.["total"]);
    const occupied = await analytics("products-billing?year=2024&report_type=monthly_occupation_report");
    const used = await report("utilisation?from=2024-06-01&to=2024-06-30&group=vehicle");
    const row = used.data.find(({ group }) => group === "A-1");
    expect(row?.figures["utilisation"]).toBe(occupied.data.find(({ id }) => id === "A-1")?.["6"]);
  });

  // Proves "office.md": Reports: expenses contain maintenance, each cost once
  test("counts maintenance costs once in the margin of vehicle, category and branch, for the user's branches", async () => {
    await insertClosedRental();
    const groups = { vehicle: "A-1", category: "A", branch: "AIR" };
    const read = () =>
      Promise.all(Object.keys(groups).map((group) => report(`expenses?${YEAR}&by=month&group=${group}`)));
    await env.TENANT_ACME.prepare("UPDATE vehicles SET branch_code = 'AIR' WHERE reference = 'A-1'").run();
    const before = await read();
    await env.TENANT_ACME.prepare(
      `INSERT INTO vehicle_services (vehicle_reference, date, usage_units, work, cost_cents, in_expenses)
        VALUES ('A-1', '2024-06-20', 9000, 'Oil', 8050, 0), ('A-1', '2024-06-15', 9000, 'Tyres', 12100, 1)`,
    ).run();
    const after = await read();
    for (const [index, key] of Object.values(groups).entries()) {
      const june = after[index]?.data.find((row) => row.group === key && row.period === "2024-06-01");
      expect(june?.figures).toMatchObject({ expenses: 1, subtotal: "100.00", total: "121.00", maintenance: "80.50" });
      const [was, is] = [before[index]?.totals, after[index]?.totals];
      expect(is?.["maintenance"]).toBe("80.50");
      expect(Number(was?.["margin"]) - Number(is?.["margin"])).toBeCloseTo(80.5, 2);
    }
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE users SET all_branches = 0 WHERE username = 'boss'"),
      env.TENANT_ACME.prepare(
        "DELETE FROM user_branches WHERE user_id = (SELECT id FROM users WHERE username = 'boss')",
      ),
    ]);
    expect((await report(`expenses?${YEAR}`)).totals["maintenance"]).toBe("0.00");
  });

  test("counts rentals, cancellations, quotes and forward bookings, and compares with the year before", async () => {
    const body = createSaleBody();
    const quote = { ...body, valid_until: `${getBookableDay(2)}T18:00` };
    const created = await callOffice("POST", "/reservations", { token: boss, body });
    const { reservation } = await created.json<{ reservation: { id: number; version: number; total_cost: string } }>();
    expect((await callOffice("POST", "/quotes", { token: boss, body: quote })).status).toBe(201);
    const range = `from=${getBookableDay(0)}&to=${getBookableDay(5)}`;
    const forward = await report(`forward-bookings?${range}&group=category&compare=previous_year`);
    expect(forward.data).toMatchObject([
      { group: "A", figures: { rentals: 1, days: 3, total: reservation.total_cost } },
    ]);
    expect(forward.previous?.totals).toEqual({ rentals: 0, days: 0, total: "0.00" });
    expect((await report(`rentals?${range}&by=day`)).totals).toMatchObject({ rentals: 1, average_length: "3.00" });
    const today = new Date().toISOString().slice(0, 10);
    const quotes = await report(`quotes?from=${today.slice(0, 8)}01&to=${getBookableDay(0)}`);
    expect(quotes.totals).toMatchObject({ quotes: 1, acceptance: "0.00" });
    const cancel = { expected_version: reservation.version, reason: "Plans changed" };
    expect(
      (await callOffice("POST", `/reservations/${reservation.id}/cancel`, { token: boss, body: cancel })).status,
    ).toBe(200);
    expect((await report(`cancellations?${range}`)).totals).toMatchObject({ cancelled: 1, no_shows: 0 });
    expect((await report(`forward-bookings?${range}`)).data).toEqual([]);
  });

  test("shows only figures of the user's branches in the reports of revenue, expenses and rentals", async () => {
    await insertClosedRental();
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE users SET all_branches = 0 WHERE username = 'desk'"),
      env.TENANT_ACME.prepare("DELETE FROM user_branches"),
      env.TENANT_ACME.prepare("INSERT INTO user_branches SELECT id, 'ISLE' FROM users WHERE username = 'desk'"),
    ]);
    const desk = await createToken("desk");
    for (const name of ["revenue", "expenses", "rentals"]) {
      const own = await callOffice("GET", `/reports/${name}?${YEAR}`, { token: desk });
      expect([name, (await own.json<ReportAnswer>()).data]).toEqual([name, []]);
      expect((await report(`${name}?${YEAR}`)).data.length).toBeGreaterThan(0);
    }
  });

  test("exports the tables of a report, and rejects unsupported parameters of a report by field", async () => {
    await insertClosedRental();
    const csv = await (await callOffice("GET", `/reports/revenue.csv?${YEAR}&group=vehicle`, { token: boss })).text();
    expect(csv.split("\r\n")[0]).toBe("period,group,group_name,gross,net,days,contracts,average_daily_rate");
    expect(csv).toContain("A-1");
    const workbook = await callOffice("GET", `/reports/revenue.xlsx?${YEAR}`, { token: boss });
    expect(workbook.headers.get("Content-Type")).toContain("spreadsheetml");
    const refused = async (path: string) => {
      const response = await callOffice("GET", `/reports/${path}`, { token: boss });
      const { detail } = await response.json<{ detail: { field: string }[] }>();
      return [response.status, detail.map(({ field }) => field)];
    };
    expect(await refused(`secret?${YEAR}`)).toEqual([400, ["name"]]);
    expect(await refused("revenue?from=2024-02-01&to=2024-01-01")).toEqual([400, ["to"]]);
    expect(await refused("revenue?from=2000-02-01&to=2024-01-01")).toEqual([400, ["to"]]);
    expect(await refused(`quotes?${YEAR}&group=extra`)).toEqual([400, ["group"]]);
    expect((await callOffice("GET", `/reports/revenue?${YEAR}`)).status).toBe(401);
  });
});
