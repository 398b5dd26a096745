import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

interface Found {
  readonly id: number | string;
  readonly title: string;
  readonly line: string;
  readonly page: string;
}
type Results = Readonly<Record<"reservations" | "customers" | "vehicles" | "documents" | "quotes", readonly Found[]>>;

let boss: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
  await insertCheckInRental();
  await env.TENANT_ACME.prepare("UPDATE bookings SET customer_name = 'Thị', customer_surname = 'Nguyễn'").run();
});

async function search(q: string, token = boss): Promise<Results> {
  const answer = await callOffice("GET", `/search?q=${encodeURIComponent(q)}`, { token });
  expect(answer.status).toBe(200);
  return answer.json();
}

describe("the search over all lists", () => {
  test("finds a reservation by name, with title, summary line and the page's address", async () => {
    const { reservations, vehicles } = await search("nguyen");
    expect(reservations).toEqual([
      {
        ...{ id: 7, title: "7 · Thị Nguyễn", line: "2024-05-03 10:00 – 2024-05-05 · confirmed" },
        page: "/office/#/reservations/7",
        ...{ date_from: "2024-05-03", time_from: "10:00", date_to: "2024-05-05", status: "confirmed" },
      },
    ]);
    expect(vehicles).toEqual([]);
  });

  test("lists at most five results of a kind", async () => {
    for (let index = 0; index < 7; index++)
      await callOffice("POST", "/customers", { token: boss, body: { name: `Ana ${index}`, surname: "Muchas" } });
    const { customers } = await search("muchas");
    expect(customers).toHaveLength(5);
    expect(customers[0]).toMatchObject({ page: expect.stringMatching(/^\/office\/#\/customers\/\d+$/) });
    expect((await search("A-1")).vehicles).toMatchObject([{ id: "A-1", page: "/office/#/fleet/A-1" }]);
  });

  test("finds a quote by its number and customer, at the user's branches only", async () => {
    const body = {
      ...{ date_from: getBookableDay(3), time_from: "10:00", date_to: getBookableDay(6), time_to: "10:00" },
      ...{ pickup_place: 1, return_place: 1, category_code: "A", valid_until: `${getBookableDay(2)}T18:00` },
      customer: { name: "Ana", surname: "Gelabert" },
    };
    const quoteResponse = await callOffice("POST", "/quotes", { token: boss, body });
    const { quote } = await quoteResponse.json<{ readonly quote: { readonly id: number; readonly number: string } }>();
    const expectedQuotes = [
      {
        ...{ id: quote.id, title: quote.number, line: `Ana Gelabert · ${getBookableDay(3)} – ${getBookableDay(6)}` },
        page: `/office/#/quotes/${quote.id}`,
      },
    ];
    expect((await search("gelabert")).quotes).toEqual(expectedQuotes);
    expect((await search(quote.number)).quotes).toEqual(expectedQuotes);
    await env.TENANT_ACME.prepare(
      "UPDATE quotes SET branch_code = 'ISLE', return_branch_code = 'ISLE', version = version + 1",
    ).run();
    expect((await search("gelabert", await createToken("desk"))).quotes).toEqual([]);
  });

  test("finds no reservations of other branches for a branch's staff", async () => {
    const desk = await createToken("desk");
    expect((await search("nguyen", desk)).reservations).toHaveLength(1);
    await env.TENANT_ACME.prepare("UPDATE bookings SET branch_code = 'ISLE', return_branch_code = 'ISLE'").run();
    expect((await search("nguyen", desk)).reservations).toEqual([]);
    expect((await search("nguyen")).reservations).toHaveLength(1);
  });

  test("requires a search text and a session for the search over all lists", async () => {
    expect((await callOffice("GET", "/search", { token: boss })).status).toBe(400);
    expect((await callOffice("GET", "/search?q=ana", { token: "none" })).status).toBe(401);
  });
});
