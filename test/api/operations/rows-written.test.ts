import { beforeEach, expect, test } from "vitest";
import { ROWS_WRITTEN_BY_BOOKING } from "#scripts/cost/model.ts";
import { createAgencyReservationBody, postAsAgency } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";

beforeEach(() => setUpCompany());

test("writes at most as many rows for a booking as the cost model assumes", async () => {
  const answer = await postAsAgency("/booking", createAgencyReservationBody());
  expect(answer.status).toBe(200);
  const writtenRowCount = Number(/rows_written=(\d+)/.exec(answer.headers.get("Server-Timing") ?? "")?.[1]);
  expect(writtenRowCount).toBeGreaterThan(5);
  expect(writtenRowCount).toBeLessThanOrEqual(ROWS_WRITTEN_BY_BOOKING);
});
