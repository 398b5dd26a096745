import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { expectBookingVersionStatement, isBookingVersionConflict } from "#worker/store/guards/booking-version.ts";
import { bookings } from "#worker/store/schema/bookings.ts";

beforeEach(async () => {
  await setUpCompany();
  await env.TENANT_ACME.prepare(`INSERT INTO bookings (id, free_access_id, status, created_by, date_from, time_from, date_to, time_to, days, pickup_place, return_place,
    branch_code, return_branch_code, branch_group_id, customer_name, customer_language, item_cents, total_cents, created_at, last_update)
    VALUES (7, 'seven', 'confirmed', 'staff', '2030-05-03', '10:00', '2030-05-05', '10:00', 2, '', '', 'AIR', 'AIR', 1, 'Ana', 'es', 0, 0, 0, 0)`).run();
});

/** Adds a note to booking 7 if its version is unchanged. */
async function note(comments: string, version: number): Promise<"written" | "refused"> {
  const { db } = openTestTenant(env);
  try {
    await db.batch([
      expectBookingVersionStatement(db, { id: 7, version }),
      db
        .update(bookings)
        .set({ comments, version: version + 1 })
        .where(eq(bookings.id, 7)),
    ]);
    return "written";
  } catch (error) {
    if (isBookingVersionConflict(error)) return "refused";
    throw error;
  }
}

const read = () => env.TENANT_ACME.prepare("SELECT comments, version FROM bookings WHERE id = 7").first();

test("writes a batch that expects the current version, and leaves no helper rows", async () => {
  expect(await note("window seat", 1)).toBe("written");
  expect(await read()).toEqual({ comments: "window seat", version: 2 });
  expect(await env.TENANT_ACME.prepare("SELECT count(*) AS kept FROM version_guards").first("kept")).toBe(0);
});

test("rejects a whole batch that expects an older version or an unknown booking", async () => {
  await note("first", 1);
  expect(await note("second", 1)).toBe("refused");
  expect(await read()).toEqual({ comments: "first", version: 2 });
  const { db } = openTestTenant(env);
  await expect(db.batch([expectBookingVersionStatement(db, { id: 8, version: 1 })])).rejects.toSatisfy(
    isBookingVersionConflict,
  );
});

test("allows one of twenty writers with the same version to write", async () => {
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, writer) => note(`writer ${writer}`, 1)));
  expect(outcomes.filter((outcome) => outcome === "written")).toHaveLength(1);
});
