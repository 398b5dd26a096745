import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { insertRental } from "#support/rentals.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";

let token = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  token = await createToken("boss");
});

interface CalendarAnswer {
  readonly calendar: { readonly id: number; readonly version: number; readonly link: string };
}

const send = (method: string, path: string, body?: unknown, as = token) =>
  callOffice(method, path, { token: as, body });
const read = (link: string, headers: Record<string, string> = {}, account = "acme") =>
  requestWorker(`http://${account}.localhost:8787${link}`, { headers });

async function addCalendar(body: Readonly<Record<string, unknown>>): Promise<CalendarAnswer["calendar"]> {
  const answer = await send("POST", "/calendars", { name: "Cars", ...body });
  expect(answer.status, await answer.clone().text()).toBe(201);
  return (await answer.json<CalendarAnswer>()).calendar;
}

/** Returns the next date with this month and day, at least a month ahead. */
function next(monthAndDay: string): string {
  const ahead = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const year = Number(ahead.slice(0, 4));
  return `${year}-${monthAndDay}` > ahead ? `${year}-${monthAndDay}` : `${year + 1}-${monthAndDay}`;
}

const removeDashes = (date: string) => date.replaceAll("-", "");

// Proves "calendars.md": A category's contracts, in UTC, without a name
test("lists a category's contracts in UTC in winter and summer, without customer names", async () => {
  const [winter, summer] = [next("01-15"), next("07-10")];
  const id = await insertRental({ from: `${winter} 10:00`, to: `${winter} 18:00`, quantity: 2, returnBranch: "ISLE" });
  await insertRental({ from: `${summer} 10:00`, to: `${summer} 18:00`, status: "pending_confirmation" });
  await insertRental({ from: `${summer} 12:00`, to: `${summer} 18:00`, status: "cancelled" });
  await insertRental({ from: `${summer} 13:00`, to: `${summer} 18:00`, status: "pending_confirmation", expiresAt: 5 });
  await insertRental({ from: `${summer} 14:00`, to: `${summer} 18:00`, category: "B" });
  const { link } = await addCalendar({ category_code: "A" });
  const answer = await read(link);
  expect(answer.headers.get("Content-Type")).toBe("text/calendar; charset=utf-8");
  const text = await answer.text();
  expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2);
  expect(text).toContain(`UID:reservation-${id}-A@acme\r\n`);
  expect(text).toContain(`DTSTART:${removeDashes(winter)}T090000Z\r\nDTEND:${removeDashes(winter)}T170000Z\r\n`);
  expect(text).toContain(`DTSTART:${removeDashes(summer)}T080000Z\r\n`);
  expect(text).toContain(`SUMMARY:#${id} · A × 2\r\nLOCATION:AIR → ISLE\r\nSTATUS:CONFIRMED\r\n`);
  expect(text).toContain("STATUS:TENTATIVE\r\n");
  expect(text).not.toContain("Ana");
});

test("exports the list of calendars without their links, which anyone could open", async () => {
  const { link } = await addCalendar({ category_code: "A" });
  const table = await send("GET", "/calendars.csv");
  const text = await table.text();
  expect([table.status, text.split("\r\n")[0]]).toEqual([200, expect.stringMatching(/"?link_version"?;?$/)]);
  expect(text).not.toContain(link.split("/").at(-1));
  expect(text).toContain("Cars");
});

test("ends a calendar entry after its start if its times fall into the hour that daylight saving skips", async () => {
  const march = next("03-31");
  const sunday = Date.parse(march) - new Date(march).getUTCDay() * 86_400_000;
  const day = new Date(sunday).toISOString().slice(0, 10);
  await insertRental({ from: `${day} 02:40`, to: `${day} 03:10` });
  const text = await (await read((await addCalendar({ category_code: "A" })).link)).text();
  expect(text).toContain(`DTSTART:${removeDashes(day)}T014000Z\r\nDTEND:${removeDashes(day)}T014100Z\r\n`);
});

test.each([["category_code", "A"] as const, ["vehicle_reference", "A-1"] as const])(
  "shows a vehicle as out from hand-over to return, early or late, in a calendar by %s",
  async (by, filterValue) => {
    const formatDayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const toInstantAfter = (days: number) => Date.parse(`${formatDayAfter(days)}T12:00:00Z`);
    const rentals = [
      { from: -12, to: 5, status: "done", out: -13, back: -10 },
      { from: -8, to: -7, status: "done", out: -8, back: -6 },
      { from: -4, to: -1, status: "in_progress", out: -4, back: null },
    ];
    for (const { from, to, status, out, back } of rentals) {
      const id = await insertRental({
        from: `${formatDayAfter(from)} 10:00`,
        to: `${formatDayAfter(to)} 18:00`,
        status,
      });
      await env.TENANT_ACME.prepare(
        "UPDATE booking_units SET vehicle_reference = 'A-1', delivered_at = ?, collected_at = ? WHERE booking_id = ?",
      )
        .bind(toInstantAfter(out), back === null ? null : toInstantAfter(back), id)
        .run();
    }
    const text = await (await read((await addCalendar({ [by]: filterValue })).link)).text();
    const ends = [...text.matchAll(/DTEND:(\w+)/g)].map(([, end]) => end);
    expect(text).toContain(`DTSTART:${removeDashes(formatDayAfter(-13))}T120000Z\r\n`);
    expect(ends.slice(0, 2)).toEqual([
      `${removeDashes(formatDayAfter(-10))}T120000Z`,
      `${removeDashes(formatDayAfter(-6))}T120000Z`,
    ]);
    expect((ends[2] ?? "") >= new Date().toISOString().replace(/[-:]|\.\d{3}/g, "")).toBe(true);
  },
);

test("shows a contract with an exchanged vehicle in both vehicles' calendars, each with its own time range", async () => {
  const now = Date.now();
  const at = (hours: number) => Math.floor((now + hours * 3_600_000) / 1000) * 1000;
  const text = (moment: number) => new Date(moment).toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = (hours: number) => new Date(at(hours)).toISOString().slice(0, 10);
  const id = await insertRental({ from: `${day(-96)} 10:00`, to: `${day(96)} 10:00`, status: "in_progress" });
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare(
      "UPDATE booking_units SET vehicle_reference = 'A-2', delivered_at = ? WHERE booking_id = ?",
    ).bind(at(-70), id),
    env.TENANT_ACME.prepare(`INSERT INTO exchanged_vehicles (id, booking_id, unit_id, vehicle_reference, delivered_at, returned_at)
      SELECT 5, booking_id, id, 'A-1', ?, ? FROM booking_units WHERE booking_id = ?`).bind(at(-70), at(-30), id),
  ]);
  const readEventFields = async (reference: string) => {
    const calendar = await (await read((await addCalendar({ vehicle_reference: reference })).link)).text();
    return ["UID", "DTSTART", "DTEND"].map((name) => new RegExp(`^${name}:(.*)\r$`, "m").exec(calendar)?.[1]);
  };
  expect(await readEventFields("A-1")).toEqual([`reservation-${id}-A-1-5@acme`, text(at(-70)), text(at(-30))]);
  expect((await readEventFields("A-2")).slice(0, 2)).toEqual([`reservation-${id}-A-2@acme`, text(at(-30))]);
});

// Proves "calendars.md": A vehicle's contracts and blocks under ids that stay
test("lists a vehicle's assignments and blocks in its calendar under permanent ids", async () => {
  const date = next("03-02");
  const id = await insertRental({ from: `${date} 10:00`, to: `${date} 18:00` });
  await insertRental({ from: `${date} 10:00`, to: `${date} 18:00` });
  await env.TENANT_ACME.prepare("UPDATE booking_units SET vehicle_reference = 'A-1' WHERE booking_id = ?")
    .bind(id)
    .run();
  const block = { reason: "workshop", from: `${date}T20:00`, to: `${date}T22:00`, note: "brakes, for Mr Smith" };
  expect((await send("POST", "/vehicles/A-1/blocks", block)).status).toBe(201);
  const { link } = await addCalendar({ vehicle_reference: "A-1" });
  const text = await (await read(link)).text();
  const uids = [...text.matchAll(/^UID:(.*)\r$/gm)].map(([, uid]) => uid);
  expect(uids).toEqual([`reservation-${id}-A-1@acme`, expect.stringMatching(/^block-\d+@acme$/)]);
  expect(text).toContain("SUMMARY:workshop · A-1\r\n");
  expect(text).not.toContain("Smith");
  await env.TENANT_ACME.prepare("UPDATE bookings SET version = version + 1 WHERE id = ?").bind(id).run();
  const later = await (await read(link)).text();
  expect([...later.matchAll(/^UID:(.*)\r$/gm)].map(([, uid]) => uid)).toEqual(uids);
  expect(later).not.toBe(text);
});

// Proves "calendars.md": An `ETag`, and 304 while nothing changed
test("returns 304 for a calendar that hasn't changed since the reader's copy", async () => {
  const { link } = await addCalendar({ category_code: "A" });
  const first = await read(link);
  const tag = first.headers.get("ETag") ?? "";
  expect((await read(link, { "If-None-Match": tag })).status).toBe(304);
  await insertRental({ from: `${next("03-02")} 10:00`, to: `${next("03-02")} 18:00` });
  expect((await read(link, { "If-None-Match": tag })).status).toBe(200);
});

// Proves "security.md": A75
test("returns 404 to a reader whose copy is of a revoked calendar link", async () => {
  const { id, version, link } = await addCalendar({ category_code: "A" });
  const first = await read(link);
  expect(first.headers.get("Cache-Control")).toBe("private, no-cache");
  await send("PATCH", `/calendars/${id}`, { expected_version: version, active: false });
  for (const tag of [first.headers.get("ETag") ?? "", "*"]) {
    const refused = await read(link, { "If-None-Match": tag });
    expect([refused.status, refused.headers.get("ETag")]).toEqual([404, null]);
  }
});

// Proves "calendars.md": A link that was taken back is 404, at once and everywhere
test("returns 404 for a revoked, unknown or other company's calendar link", async () => {
  const { id, version, link } = await addCalendar({ category_code: "A" });
  expect(link).toMatch(/^\/calendars\/\d+-[0-9a-f]{64}\.ics$/);
  expect((await read(link.replace(/[0-9a-f]\.ics$/, "x.ics"))).status).toBe(404);
  expect((await read(`/calendars/${id}-${"0".repeat(64)}.ics`)).status).toBe(404);
  expect((await read(link.replace(/\d+-/, "99-"))).status).toBe(404);
  expect((await read(link, {}, "globex")).status).not.toBe(200);
  const off = await send("PATCH", `/calendars/${id}`, { expected_version: version, active: false });
  expect(off.status).toBe(200);
  expect((await read(link)).status).toBe(404);
  expect((await send("PATCH", `/calendars/${id}`, { expected_version: version + 1, active: true })).status).toBe(200);
  expect((await read(link)).status).toBe(200);
  expect((await send("DELETE", `/calendars/${id}`)).status).toBe(204);
  expect((await read(link)).status).toBe(404);
  const other = await addCalendar({ category_code: "A" });
  expect(other.link).not.toBe(link);
});

// Proves "calendars.md": Links are signed; another version ends the one before
// Proves "security.md": A75
test("invalidates the previous calendar link when a new version is created", async () => {
  const { id, version, link } = await addCalendar({ category_code: "A" });
  const next = await send("PATCH", `/calendars/${id}`, { expected_version: version, link_version: 2 });
  const { calendar } = await next.json<CalendarAnswer>();
  expect(calendar).toMatchObject({ link_version: 2 });
  expect([(await read(link)).status, (await read(calendar.link)).status]).toEqual([404, 200]);
  const readEventFields = await (await send("GET", `/calendars/${id}`)).json<CalendarAnswer>();
  const { data } = await (await send("GET", "/calendars")).json<{ data: CalendarAnswer["calendar"][] }>();
  expect([readEventFields.calendar.link, data[0]?.link]).toEqual([calendar.link, calendar.link]);
  expect((await send("PATCH", `/calendars/${id}`, { expected_version: version + 1, link_version: 0 })).status).toBe(
    400,
  );
});

// Proves "calendars.md": Invalid values are named; only managers
test("rejects invalid calendars by field and callers who aren't managers", async () => {
  const sendInvalidCalendar = async (body: unknown) => {
    const answer = await send("POST", "/calendars", body);
    return [answer.status, (await answer.json<{ detail: { field: string }[] }>()).detail.map(({ field }) => field)];
  };
  expect(await sendInvalidCalendar({ name: "Cars" })).toEqual([400, ["category_code"]]);
  expect(await sendInvalidCalendar({ name: "Cars", category_code: "A", vehicle_reference: "A-1" })).toEqual([
    400,
    ["category_code"],
  ]);
  expect(await sendInvalidCalendar({ name: "Cars", vehicle_reference: "NONE" })).toEqual([400, ["vehicle_reference"]]);
  expect(await sendInvalidCalendar({ name: "Cars", category_code: "NONE" })).toEqual([400, ["category_code"]]);
  expect(await sendInvalidCalendar({ name: "Cars", category_code: "A", link: "/calendars/mine.ics" })).toEqual([
    400,
    ["link"],
  ]);
  const desk = await send("POST", "/calendars", { name: "Cars", category_code: "A" }, await createToken("desk"));
  expect(desk.status).toBe(403);
});

// Proves "calendars.md": By vehicle, only of the user's branches; others need all branches
test("limits a branch manager to calendars of vehicles at those branches", async () => {
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("UPDATE users SET role = 'manager' WHERE username = 'desk'"),
    env.TENANT_ACME.prepare("UPDATE vehicles SET branch_code = 'ISLE' WHERE reference = 'B-1'"),
  ]);
  const manager = await createToken("desk");
  const own = await addCalendar({ vehicle_reference: "A-1" });
  const others = [await addCalendar({ vehicle_reference: "B-1" }), await addCalendar({ category_code: "A" })];
  const list = await (await send("GET", "/calendars", undefined, manager)).json<{ data: unknown[]; total: number }>();
  expect([list.data, list.total]).toEqual([[own], 1]);
  for (const { id, link } of others) {
    const readResponses = ["", "/history"].map((part) => send("GET", `/calendars/${id}${part}`, undefined, manager));
    const changed = send("PATCH", `/calendars/${id}`, { expected_version: 1, name: "Mine" }, manager);
    const removed = send("DELETE", `/calendars/${id}?expected_version=1`, undefined, manager);
    for (const answer of await Promise.all([...readResponses, changed, removed])) {
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain(link);
    }
  }
  const make = (body: object) => send("POST", "/calendars", { name: "Spy", ...body }, manager);
  expect(await (await make({ vehicle_reference: "B-1" })).json()).toMatchObject({
    detail: [{ field: "vehicle_reference", message: "not found" }],
  });
  expect((await make({ category_code: "A" })).status).toBe(403);
  const changeCalendar = (body: object) =>
    send("PATCH", `/calendars/${own.id}`, { expected_version: 1, ...body }, manager);
  expect((await changeCalendar({ vehicle_reference: "B-1" })).status).toBe(400);
  expect((await changeCalendar({ vehicle_reference: null, category_code: "A" })).status).toBe(403);
  expect((await changeCalendar({ vehicle_reference: "A-2" })).status).toBe(200);
  expect((await make({ vehicle_reference: "A-2" })).status).toBe(201);
});
