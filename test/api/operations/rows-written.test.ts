import { beforeEach, expect, test } from "vitest";
import { ROWS_WRITTEN_BY_BOOKING } from "#scripts/cost/model.ts";
import { aReservation, postAsAgency } from "#support/agency.ts";
import { aCompany } from "#support/company.ts";

beforeEach(() => aCompany());

test("writes at most as many rows for a booking as the cost model assumes", async () => {
  const answer = await postAsAgency("/booking", aReservation());
  expect(answer.status).toBe(200);
  const writtenRowCount = Number(/rows_written=(\d+)/.exec(answer.headers.get("Server-Timing") ?? "")?.[1]);
  expect(writtenRowCount).toBeGreaterThan(5);
  expect(writtenRowCount).toBeLessThanOrEqual(ROWS_WRITTEN_BY_BOOKING);
});
