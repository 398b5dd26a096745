import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, inject, test } from "vitest";
import {
  cancelBookingAsAgency,
  createAgencyReservationBody,
  createAvailabilityPath,
  getAsAgency,
  getBookableDay,
  postAsAgency,
  readBookingAsAgency,
} from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";

// The reference model of an account is the same account alone: concurrent work of another account must not change the
// result.

type Account = "acme" | "globex";

interface Step {
  readonly account: Account;
  readonly kind: "book" | "cancel" | "read" | "search";
  /** Number of a reference, equal in both accounts except for the prefix. */
  readonly number: number;
  readonly product: string;
  readonly from: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  account: fc.constantFrom("acme", "globex"),
  kind: fc.constantFrom("book", "book", "cancel", "read", "search"),
  number: fc.integer({ min: 1, max: 4 }),
  product: fc.constantFrom("A", "B", "C"),
  from: fc.integer({ min: 0, max: 3 }),
});

async function takeStep({ account, kind, number, product, from }: Step): Promise<string> {
  const reference = `${account}-ref-${number}`;
  const partner = { account };
  switch (kind) {
    case "book": {
      const changes = {
        agency_reservation_id: reference,
        customer_surname: `of ${account}`,
        products: [{ code: product, quantity: 1 }],
        date_from: getBookableDay(from),
        date_to: getBookableDay(from + 2),
      };
      return (await postAsAgency("/booking", createAgencyReservationBody(changes), partner)).text();
    }
    case "cancel":
      return (await cancelBookingAsAgency(reference, partner)).text();
    case "read":
      return (await readBookingAsAgency(reference, partner)).text();
    case "search":
      return (
        await getAsAgency(
          createAvailabilityPath({ "date-from": getBookableDay(from), "date-to": getBookableDay(from + 2) }),
          partner,
        )
      ).text();
  }
}

/** Reads an account's data without ids and times of this run. */
async function dump(account: Account): Promise<unknown> {
  const db = account === "acme" ? env.TENANT_ACME : env.TENANT_GLOBEX;
  const results = await db.batch([
    db.prepare(`SELECT agency_reservation_id, status, date_from, date_to, total_cents, customer_surname, version FROM bookings
      ORDER BY agency_reservation_id`),
    db.prepare(`SELECT agency_reservation_id, category_code, line.item_cents FROM booking_lines AS line JOIN bookings ON bookings.id = booking_id
      ORDER BY 1, 2`),
    db.prepare(`SELECT agency_reservation_id, stock_allocations.kind, code, starts_at, stock_allocations.quantity FROM stock_allocations JOIN bookings ON bookings.id = booking_id
      ORDER BY 1, 2, 3`),
    db.prepare(`SELECT agency_reservation_id, event, actor FROM booking_history JOIN bookings ON bookings.id = booking_id
      ORDER BY 1, booking_history.id`),
  ]);
  return results.map((result) => result.results);
}

async function run(
  steps: readonly Step[],
): Promise<{ readonly answers: string[]; readonly dumps: readonly unknown[] }> {
  await setUpCompany("acme");
  await setUpCompany("globex");
  const answers: string[] = [];
  for (const step of steps) answers.push(await takeStep(step));
  return { answers, dumps: [await dump("acme"), await dump("globex")] };
}

const getOtherAccount = (account: Account): Account => (account === "acme" ? "globex" : "acme");
const withoutIds = (answer: string) => answer.replaceAll(/"(id|free_access_id)":("[^"]*"|\d+)/g, '"$1":0');

// Proves "security.md": A60
test("gives two accounts used in turn the same results as each alone, without data of the other", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const together = await run(steps);
      for (const [index, step] of steps.entries()) {
        expect(together.answers[index]).not.toContain(`${getOtherAccount(step.account)}-ref`);
        expect(together.answers[index]).not.toContain(`of ${getOtherAccount(step.account)}`);
      }
      for (const [index, account] of (["acme", "globex"] as const).entries()) {
        const isOwn = (step: Step) => step.account === account;
        const isolatedRun = await run(steps.filter(isOwn));
        expect(isolatedRun.dumps[index]).toEqual(together.dumps[index]);
        const answered = together.answers.filter((_, at) => steps[at]?.account === account);
        expect(answered.map(withoutIds)).toEqual(isolatedRun.answers.map(withoutIds));
      }
    }),
    { numRuns: inject("isThorough") ? 6 : 2 },
  );
});
