import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { aReservation, availabilityPath, get, post } from "#support/agency.ts";
import { aCompany } from "#support/company.ts";
import { aTenant } from "#support/databases.ts";

// On 28 March 2027 the clock of Madrid leaves out 02:00 to 03:00, on 31 October it shows it twice.

beforeEach(async () => {
  await aCompany();
});

interface Stretch {
  readonly from: string;
  readonly to: string;
}

function parts({ from, to }: Stretch) {
  const [[date_from, time_from], [date_to, time_to]] = [from.split(" "), to.split(" ")];
  return { date_from, time_from, date_to, time_to };
}

async function found(stretch: Stretch) {
  const { date_from, time_from, date_to, time_to } = parts(stretch);
  const asked = { "date-from": date_from, "time-from": time_from, "date-to": date_to, "time-to": time_to };
  const answer = await get(availabilityPath(asked));
  const { response } = await answer.json<{
    response: {
      days: number;
      time_from_cost: string;
      time_to_cost: string;
      products: { code: string; price: string; available: boolean }[];
    };
  }>();
  const product = response.products.find(({ code }) => code === "A");
  return { days: response.days, supplements: [response.time_from_cost, response.time_to_cost], ...product };
}

const book = (stretch: Stretch, quantity = 1) =>
  post("/booking", aReservation({ ...parts(stretch), products: [{ code: "A", quantity }] }));

describe.each(["Europe/Madrid", "Atlantic/Azores"])("over a change of the clock of %s", (zone) => {
  beforeEach(async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET timezone = ?").bind(zone).run();
    await aTenant(env).freshSnapshot();
  });

  test.each([
    ["2027-03-27 02:30", "2027-03-28 02:30", 1],
    ["2027-03-28 00:30", "2027-03-29 02:30", 1],
    ["2027-03-28 00:30", "2027-03-29 02:31", 2],
    ["2027-03-26 23:59", "2027-03-29 00:00", 3],
    ["2027-10-30 02:30", "2027-10-31 02:30", 1],
    ["2027-10-31 00:00", "2027-11-01 02:00", 1],
    ["2027-10-31 00:00", "2027-11-01 02:01", 2],
    ["2027-10-31 02:30", "2027-10-31 02:31", 1],
  ])("%s to %s is %i days, quoted and booked alike", async (from, to, days) => {
    const quoted = await found({ from, to });
    expect(quoted).toMatchObject({ days, available: true });
    const answer = await book({ from, to });
    const { response } = await answer.json<{ response: { reservation: Record<string, string> } }>();
    const total = [quoted.price, ...quoted.supplements].reduce((sum, one) => sum + Number(one), 0);
    expect(response.reservation).toMatchObject({ days, total_cost: total.toFixed(2) });
  });

  test.each([
    ["2027-03-28 02:30", "2027-03-28 03:29", "2027-03-28 03:30"],
    ["2027-10-31 02:30", "2027-10-31 03:29", "2027-10-31 03:30"],
    ["2027-06-01 23:30", "2027-06-02 00:29", "2027-06-02 00:30"],
  ])(
    "what is back at %s is not there at %s, and is at %s, for the search and for the guard",
    async (back, early, free) => {
      expect((await book({ from: "2027-03-20 10:00", to: back }, 3)).status).toBe(200);
      const stretchFrom = (from: string) => ({ from, to: `${from.slice(0, 10)} 20:00` });
      expect(await found(stretchFrom(early))).toMatchObject({ available: false });
      expect((await book(stretchFrom(early))).status).toBe(409);
      expect(await found(stretchFrom(free))).toMatchObject({ available: true });
      expect((await book(stretchFrom(free), 3)).status).toBe(200);
    },
  );
});
