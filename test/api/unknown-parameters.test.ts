import { beforeEach, describe, expect, test } from "vitest";
import { get } from "#support/agency.ts";
import { aCompany } from "#support/company.ts";
import { withContracts } from "#support/contracts.ts";
import { ask } from "#support/erp.ts";
import { office } from "#support/office.ts";
import { tokenOf, withPeople } from "#support/people.ts";
import { request } from "#support/worker.ts";

beforeEach(async () => {
  await aCompany();
  await withContracts([{ id: 7, status: "done" }]);
});

describe("a parameter that there is not", () => {
  const told = (answer: Response) => answer.headers.get("Ignored-Parameters");

  test("is told in the answer, which is the same but for it, wherever clients of the family ask", async () => {
    for (const [path, of] of [
      ["/api/v1/integration/reservations?page_size=5", ask],
      ["/api/booking/reservation-report?from=2026-01-01", ask],
      ["/location-list?customer-language=en", get],
      [
        "http://acme.localhost:8787/api/booking/frontend/products?lang=en",
        (url: string) => request(url) as Promise<Response>,
      ],
    ] as const) {
      const [plain, other] = [await of(path), await of(`${path}&acounting_procesed=false&a%20b%0Ac=1`)];
      expect([other.status, told(other), await other.text()]).toEqual([
        200,
        "acounting_procesed, a%20b%0Ac",
        await plain.text(),
      ]);
      expect(told(plain)).toBeNull();
    }
  });

  test("of hundreds is told of the first, cut to a hundred letters, and with a refusal as well", async () => {
    const many = Array.from({ length: 60 }, (_, at) => `${"x".repeat(150)}${at}=1`).join("&");
    const answer = await ask(`/api/v1/integration/customers?after=NOPE&${many}`);
    expect([answer.status, told(answer)?.split(", ").length]).toEqual([400, 25]);
    expect(told(answer)?.split(", ")[0]).toBe("x".repeat(100));
  });

  test("is refused in the office, by name", async () => {
    await withPeople();
    const answer = await office("GET", "/reservations?stauts=confirmed", { token: await tokenOf("boss") });
    expect([answer.status, await answer.json()]).toMatchObject([400, { detail: [{ field: "stauts" }] }]);
  });
});
