import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { aReservation, day, post } from "#support/agency.ts";
import { aCompany } from "#support/company.ts";
import { office } from "#support/office.ts";
import { tokenOf, withPeople } from "#support/people.ts";

// What a read costs does not grow with what it does not show (docs/benchmarks.md): rows as the database counts them.

const MANY = 300;
let boss: string;

beforeEach(async () => {
  await aCompany();
  await withPeople();
  boss = await tokenOf("boss");
});

const read = (path: string) => office("GET", path, { token: boss });

async function rowsOf(path: string): Promise<number> {
  await read(path);
  const answer = await read(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return Number(/rows_read=(\d+)/.exec(answer.headers.get("Server-Timing") ?? "")?.[1]);
}

/** Copies of the only contract, by what is said of them; their lines are left out. */
async function copies(count: number, said: Readonly<Record<string, string>>): Promise<void> {
  const { results } = await env.TENANT_ACME.prepare(
    "SELECT name FROM pragma_table_xinfo('bookings') WHERE hidden = 0 AND pk = 0",
  ).all<{ name: string }>();
  const own: Readonly<Record<string, string>> = {
    free_access_id: "lower(hex(randomblob(16)))",
    cart_id: "NULL",
    agency_reservation_id: "'copy-' || n || hex(randomblob(4))",
    ...said,
  };
  const columns = results.map(({ name }) => name);
  const values = columns.map((name) => own[name] ?? `first.${name}`);
  await env.TENANT_ACME.prepare(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
      INSERT INTO bookings (${columns.join(", ")}) SELECT ${values.join(", ")}
      FROM n JOIN bookings AS first ON first.id = (SELECT min(id) FROM bookings)`,
  ).run();
}

const text = (value: string) => `'${value}'`;
const BOARD = `/planning?date_from=${day(0)}&days=31&rental_storage_id=1`;

test("the board of a month reads no contract that came back before it", async () => {
  await post("/booking", aReservation());
  const before = await rowsOf(BOARD);
  await copies(MANY, { status: text("done"), date_from: text(day(-60)), date_to: text(day(-50)) });
  expect(await rowsOf(BOARD)).toBeLessThanOrEqual(before + 2);
});

test("the board shows whoever leaves for another group while it lasts, however long ago, and nobody twice", async () => {
  await post("/booking", aReservation());
  const shown = async (returnBranch: string, from: string, to: string) => {
    await env.TENANT_ACME.prepare("UPDATE bookings SET return_branch_code = ?, date_from = ?, date_to = ?")
      .bind(returnBranch, from, to)
      .run();
    const board = await (await read(BOARD)).json<{ unassigned: { contracts: unknown[] }[] }>();
    return board.unassigned.flatMap(({ contracts }) => contracts).length;
  };
  const { results } = await env.TENANT_ACME.prepare(
    "SELECT code, branch_group_id = 1 AS own FROM branches ORDER BY code",
  ).all<{ code: string; own: number }>();
  expect(results.some(({ own }) => own === 0)).toBe(true);
  for (const { code } of results)
    expect([
      code,
      await shown(code, day(-200), day(2)),
      await shown(code, day(30), day(40)),
      await shown(code, day(-20), day(-1)),
      await shown(code, day(31), day(40)),
    ]).toEqual([code, 1, 1, 0, 0]);
});

test("what waits is found without reading what is not due", async () => {
  await post("/booking", aReservation());
  const lists = ["/reservations?attention=true", "/attention"];
  const before = await Promise.all(lists.map(rowsOf));
  await copies(MANY, { status: text("confirmed"), date_from: text(day(5)), date_to: text(day(9)) });
  await copies(MANY, { status: text("in_progress"), date_from: text(day(-3)), date_to: text(day(9)) });
  const after = await Promise.all(lists.map(rowsOf));
  for (const [index, path] of lists.entries())
    expect([path, (after[index] ?? 0) - (before[index] ?? 0)]).toEqual([path, expect.toSatisfy((more) => more < 40)]);
});
