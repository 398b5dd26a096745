import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { addDays, type CivilDate } from "#domain/dates.ts";
import { createAgencyReservationBody, createAvailabilityPath, getAsAgency, postAsAgency } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { openTestTenant } from "#support/databases.ts";

/** Returns the next last Sunday of a month that is far enough ahead for bookings. */
function nextLastSunday(month: 3 | 10): CivilDate {
  const year = Number(TODAY.slice(0, 4));
  const lastDays = [year, year + 1].map((value) => `${value}-${String(month).padStart(2, "0")}-31` as CivilDate);
  const sundays = lastDays.map((last) => addDays(last, -new Date(last).getUTCDay()));
  return sundays.find((sunday) => sunday > addDays(TODAY, 10)) ?? sundays[0] ?? TODAY;
}

const TODAY = getTodayAtCompany();
// Madrid's clock skips 02:00 to 03:00 on the first, and repeats it on the second.
const SPRING = nextLastSunday(3);
const AUTUMN = nextLastSunday(10);
const formatDayTime = (date: CivilDate, days: number, time: string) => `${addDays(date, days)} ${time}`;

beforeEach(async () => {
  await setUpCompany();
});

interface Stretch {
  readonly from: string;
  readonly to: string;
}

function parts({ from, to }: Stretch) {
  const [[date_from, time_from], [date_to, time_to]] = [from.split(" "), to.split(" ")];
  return { date_from, time_from, date_to, time_to };
}

async function searchPeriod(stretch: Stretch) {
  const { date_from, time_from, date_to, time_to } = parts(stretch);
  const searchParameters = { "date-from": date_from, "time-from": time_from, "date-to": date_to, "time-to": time_to };
  const answer = await getAsAgency(createAvailabilityPath(searchParameters));
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
  postAsAgency("/booking", createAgencyReservationBody({ ...parts(stretch), products: [{ code: "A", quantity }] }));

describe.each(["Europe/Madrid", "Atlantic/Azores"])("rentals over the daylight-saving change in %s", (zone) => {
  beforeEach(async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET timezone = ?").bind(zone).run();
    await openTestTenant(env).freshSnapshot();
  });

  // Proves "rules.md and conventions.md: the agency interface": … over changes of the clock, in a time that there is
  //   twice or not at all, quoted and booked alike
  test.each([
    [formatDayTime(SPRING, -1, "02:30"), formatDayTime(SPRING, 0, "02:30"), 1],
    [formatDayTime(SPRING, 0, "00:30"), formatDayTime(SPRING, 1, "02:30"), 1],
    [formatDayTime(SPRING, 0, "00:30"), formatDayTime(SPRING, 1, "02:31"), 2],
    [formatDayTime(SPRING, -2, "23:59"), formatDayTime(SPRING, 1, "00:00"), 3],
    [formatDayTime(AUTUMN, -1, "02:30"), formatDayTime(AUTUMN, 0, "02:30"), 1],
    [formatDayTime(AUTUMN, 0, "00:00"), formatDayTime(AUTUMN, 1, "02:00"), 1],
    [formatDayTime(AUTUMN, 0, "00:00"), formatDayTime(AUTUMN, 1, "02:01"), 2],
    [formatDayTime(AUTUMN, 0, "02:30"), formatDayTime(AUTUMN, 0, "02:31"), 1],
  ])("quotes and books %s to %s as %i days", async (from, to, days) => {
    const quoted = await searchPeriod({ from, to });
    expect(quoted).toMatchObject({ days, available: true });
    const answer = await book({ from, to });
    const { response } = await answer.json<{ response: { reservation: Record<string, string> } }>();
    const total = [quoted.price, ...quoted.supplements].reduce((sum, text) => sum + Number(text), 0);
    expect(response.reservation).toMatchObject({ days, total_cost: total.toFixed(2) });
  });

  // Proves "rules.md and conventions.md: the agency interface": Search and guard agree over changes of the clock and
  //   over midnight
  test.each([
    [formatDayTime(SPRING, 0, "02:30"), formatDayTime(SPRING, 0, "03:29"), formatDayTime(SPRING, 0, "03:30")],
    [formatDayTime(AUTUMN, 0, "02:30"), formatDayTime(AUTUMN, 0, "03:29"), formatDayTime(AUTUMN, 0, "03:30")],
    [formatDayTime(SPRING, 65, "23:30"), formatDayTime(SPRING, 66, "00:29"), formatDayTime(SPRING, 66, "00:30")],
  ])(
    "makes a unit returned at %s unavailable at %s and available at %s, for search and booking",
    async (back, early, free) => {
      const from = formatDayTime(back.slice(0, 10) as CivilDate, -8, "10:00");
      expect((await book({ from, to: back }, 3)).status).toBe(200);
      const stretchFrom = (from: string) => ({ from, to: `${from.slice(0, 10)} 20:00` });
      expect(await searchPeriod(stretchFrom(early))).toMatchObject({ available: false });
      expect((await book(stretchFrom(early))).status).toBe(409);
      expect(await searchPeriod(stretchFrom(free))).toMatchObject({ available: true });
      expect((await book(stretchFrom(free), 3)).status).toBe(200);
    },
  );
});
