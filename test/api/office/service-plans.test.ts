import { beforeEach, describe, expect, test } from "vitest";
import { addMonths, type CivilDate } from "#domain/dates.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

let company: TestCompany;
let boss = "";
let manager = "";
const TODAY = getTodayAtCompany();
// A month without a 31st follows.
const ACQUIRED = "2025-12-31" as CivilDate;

beforeEach(async () => {
  company = await setUpCompany();
  await addTestUsers();
  await company.db.batch([
    company.db.prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
      VALUES (4, 'staff', 'manager', 'manager@example.com', 'Max Manager', 'x', 'manager', 0, 1, 1)`),
    company.db.prepare("INSERT INTO user_branches VALUES (4, 'TOWN')"),
    company.db
      .prepare(
        "UPDATE vehicles SET acquisition_date = ?, purchase_units = 10, usage_units = 9000 WHERE category_code = 'A'",
      )
      .bind(ACQUIRED),
  ]);
  [boss, manager] = [await createToken("boss"), await createToken("manager")];
});

async function send(method: string, path: string, body?: unknown, token = boss) {
  const response = await callOffice(method, path, { token, body });
  const answer = response.status === 204 ? {} : await response.json<Readonly<Record<string, unknown>>>();
  return { status: response.status, body: answer };
}

const getId = ({ body }: { readonly body: Readonly<Record<string, unknown>> }, name: string) =>
  (body[name] as { readonly id: number }).id;
const addPlan = async (plan: object) => {
  const created = await send("POST", "/service-plans", { name: "Oil", ...plan });
  expect(created.status).toBe(201);
  return getId(created, "service_plan");
};
const sendService = (service: object, token = boss) =>
  send(
    "POST",
    "/vehicle-services",
    { vehicle_reference: "A-1", date: TODAY, usage_units: 9000, work: "Oil", ...service },
    token,
  );

async function readDue(reference: string) {
  const { body } = await send("GET", `/vehicles/${reference}`);
  const { service_due, service_due_units } = body["vehicle"] as Readonly<Record<string, unknown>>;
  return [service_due, service_due_units];
}
async function listDueVehicles(): Promise<readonly string[]> {
  const { body } = await send("GET", "/attention");
  const tasks = body["data"] as readonly { readonly kind: string; readonly vehicles: string }[];
  return tasks
    .filter(({ kind }) => kind === "vehicle_due")
    .map(({ vehicles }) => vehicles)
    .toSorted();
}

describe("a service plan", () => {
  test("sets the next service of a category's vehicles by the plan, counted from their acquisition", async () => {
    await addPlan({ category_code: "A", every_units: 10_000, every_months: 12 });
    expect(await readDue("A-1")).toEqual([addMonths(ACQUIRED, 12), 10_010]);
    expect(await readDue("B-1")).toEqual([null, null]);
  });

  test("adds a task before a service is due, until the service is recorded", async () => {
    const plan = await addPlan({ category_code: "A", every_units: 9_400 });
    expect(await listDueVehicles()).toEqual(["A-1", "A-2", "A-3"]);
    expect((await sendService({ service_plan_id: plan, cost: "140.00", note: "New filters" })).status).toBe(201);
    expect(await readDue("A-1")).toEqual([null, 18_400]);
    expect(await listDueVehicles()).toEqual(["A-2", "A-3"]);
  });

  test("applies a service plan to one vehicle, and uses the earliest due service of several plans", async () => {
    await addPlan({ vehicle_reference: "A-1", every_months: 2 });
    await addPlan({ name: "Brakes", every_months: 24, every_units: 50_000 });
    expect(await readDue("A-1")).toEqual([addMonths(ACQUIRED, 2), 50_010]);
    expect(await readDue("A-2")).toEqual([addMonths(ACQUIRED, 24), 50_010]);
  });

  test("updates the next service when the plan, a recorded service or the vehicle's category changes", async () => {
    const plan = await addPlan({ category_code: "A", every_units: 10_000 });
    expect((await send("PATCH", `/service-plans/${plan}`, { expected_version: 1, every_units: 20_000 })).status).toBe(
      200,
    );
    expect(await readDue("A-1")).toEqual([null, 20_010]);
    const service = getId(await sendService({ service_plan_id: plan }), "vehicle_service");
    expect(await readDue("A-1")).toEqual([null, 29_000]);
    expect((await send("DELETE", `/service-plans/${plan}`)).body).toMatchObject({ code: "in_use" });
    expect((await send("DELETE", `/vehicle-services/${service}`)).status).toBe(204);
    expect(await readDue("A-1")).toEqual([null, 20_010]);
    await company.db.prepare("UPDATE vehicles SET category_code = 'A' WHERE reference = 'B-1'").run();
    expect(await readDue("B-1")).toEqual([null, 20_000]);
    expect((await send("DELETE", `/service-plans/${plan}`)).status).toBe(204);
    expect(await readDue("A-1")).toEqual([null, null]);
  });

  test("rejects maintenance in the future, which would end the task of a due service", async () => {
    const future = await sendService({ date: "2090-01-01" });
    expect(future).toMatchObject({ status: 400, body: { detail: [{ field: "date", code: "not_after" }] } });
    const service = getId(await sendService({}), "vehicle_service");
    const change = { expected_version: 1, date: "2090-01-01" };
    expect(await send("PATCH", `/vehicle-services/${service}`, change)).toMatchObject({ status: 400 });
  });

  test("requires an interval, and either a category or a vehicle", async () => {
    const plan = { name: "Oil", category_code: "A", vehicle_reference: "A-1" };
    expect(await send("POST", "/service-plans", plan)).toMatchObject({
      status: 400,
      body: { detail: [{ field: "every_units" }, { field: "vehicle_reference" }] },
    });
  });
});

describe("an expense of maintenance", () => {
  beforeEach(() =>
    company.db.batch([
      company.db.prepare("INSERT INTO expense_accounts VALUES (62, 'Repairs')"),
      company.db.prepare("INSERT INTO expense_concepts VALUES (1, 62, 'Service')"),
    ]),
  );

  const readService = async (id: number) => (await send("GET", `/vehicle-services/${id}`)).body["vehicle_service"];
  const record = (id: number, more: object = {}, token = boss) =>
    send(
      "POST",
      "/expenses",
      {
        ...{ vehicle_service_id: id, booking_item_reference: "A-1", concept_id: 1, date: TODAY },
        ...{ supplier: "Taller Mar SL", reference: "T-1", total_without_taxes: "140.00", tax_percent: "21.00" },
        ...more,
      },
      token,
    );
  const getMaintenance = async () => {
    const report = await send("GET", `/reports/expenses?from=${TODAY}&to=${TODAY}`);
    return (report.body["totals"] as { readonly maintenance: string }).maintenance;
  };

  test("records the cost of maintenance as an expense of its vehicle, and links both", async () => {
    const service = getId(await sendService({ cost: "140.00" }), "vehicle_service");
    expect(await getMaintenance()).toBe("140.00");
    const recorded = await record(service);
    expect(recorded).toMatchObject({
      status: 201,
      body: { expense: { vehicle_service_id: service, supplier: "Taller Mar SL", total: "169.40" } },
    });
    const expense = getId(recorded, "expense");
    expect(await readService(service)).toMatchObject({ expense_id: expense, in_expenses: true, version: 2 });
    expect(await getMaintenance()).toBe("0.00");
    expect((await send("GET", `/vehicle-services/${service}/history`)).body).toMatchObject({
      data: [{ after: { expense_id: expense, in_expenses: true } }, {}],
    });
  });

  test("records maintenance once, despite simultaneous requests", async () => {
    const service = getId(await sendService({ cost: "140.00" }), "vehicle_service");
    const answers = await Promise.all([1, 2, 3, 4].map((document) => record(service, { reference: `T-${document}` })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400]);
    expect(await send("GET", "/expenses")).toMatchObject({ body: { total: 1 } });
    expect(await record(service, { reference: "T-9" })).toMatchObject({
      status: 400,
      body: { detail: [{ field: "vehicle_service_id", code: "taken" }] },
    });
    const entered = getId(await sendService({ cost: "10.00", in_expenses: true }), "vehicle_service");
    expect((await record(entered, { reference: "T-8" })).status).toBe(400);
  });

  test("unlinks maintenance when its expense is deleted, so that it can be recorded again", async () => {
    const service = getId(await sendService({ cost: "140.00" }), "vehicle_service");
    const expense = getId(await record(service), "expense");
    expect(
      await send("PATCH", `/vehicle-services/${service}`, { expected_version: 2, in_expenses: false }),
    ).toMatchObject({ status: 400, body: { detail: [{ field: "in_expenses" }] } });
    expect(
      await send("PATCH", `/expenses/${expense}`, { expected_version: 1, booking_item_reference: "A-2" }),
    ).toMatchObject({ status: 400, body: { detail: [{ field: "booking_item_reference" }] } });
    expect((await send("DELETE", `/expenses/${expense}`)).status).toBe(204);
    expect(await readService(service)).toMatchObject({ expense_id: null, in_expenses: false });
    expect(await getMaintenance()).toBe("140.00");
    expect((await record(service)).status).toBe(201);
  });

  test("names the field of maintenance that is unknown, of another vehicle or of another branch", async () => {
    const service = getId(await sendService({ cost: "140.00" }), "vehicle_service");
    const listFields = async (...input: Parameters<typeof record>) => {
      const { status, body } = await record(...input);
      return [status, (body["detail"] as readonly { readonly field: string }[]).map(({ field }) => field)];
    };
    expect(await listFields(999)).toEqual([400, ["vehicle_service_id"]]);
    expect(await listFields(service, { booking_item_reference: "A-2" })).toEqual([400, ["booking_item_reference"]]);
    expect(await listFields(service, { rental_location_code: "TOWN" }, manager)).toEqual([400, ["vehicle_service_id"]]);
    expect(await readService(service)).toMatchObject({ expense_id: null, in_expenses: false });
  });
});

describe("the maintenance history", () => {
  test("lists a vehicle's services with date, odometer, work, cost and note", async () => {
    await company.db.prepare("UPDATE vehicles SET service_due = '2030-01-01' WHERE reference = 'A-1'").run();
    await sendService({ work: "Windscreen", cost: "89.90", note: "Left side" });
    await sendService({ vehicle_reference: "A-2", work: "Tyres" });
    expect((await send("GET", "/vehicle-services?vehicle_reference=A-1")).body).toMatchObject({
      total: 1,
      data: [{ date: TODAY, usage_units: 9000, work: "Windscreen", cost: "89.90", note: "Left side" }],
    });
    expect(await readDue("A-1")).toEqual(["2030-01-01", null]);
  });

  test("limits the maintenance history to users of the vehicle's branch", async () => {
    await sendService({});
    await sendService({ vehicle_reference: "A-3" });
    expect((await send("GET", "/vehicle-services", undefined, manager)).body).toMatchObject({
      total: 1,
      data: [{ vehicle_reference: "A-3" }],
    });
    expect((await sendService({}, manager)).status).toBe(400);
    expect((await sendService({ vehicle_reference: "A-3" }, manager)).status).toBe(201);
  });
});
