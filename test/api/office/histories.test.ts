import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { applyBookingAction, callOffice, readReservationAnswer, sellRentalAtDesk } from "#support/office.ts";
import { enableGateways } from "#support/payments.ts";
import { addAgentAndManager } from "#support/test-users.ts";

const tokens = { agent: "", manager: "" };

beforeEach(async () => {
  await enableGateways(await setUpCompany());
  Object.assign(tokens, await addAgentAndManager());
});

const send = (method: string, path: string, body?: object) =>
  callOffice(method, path, { token: tokens.manager, ...(body && { body }) });

interface Entry {
  readonly move: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

async function readHistory(path: string): Promise<readonly Entry[]> {
  return (await (await send("GET", `${path}/history`)).json<{ data: readonly Entry[] }>()).data;
}

const isSnakeCase = (name: string) => /^[a-z][a-z0-9_]*$/.test(name) && !/(^|_)cents$/.test(name);

describe("histories", () => {
  test("writes amounts in a reservation's history as decimal texts, and the state before and after a cancellation", async () => {
    const sold = await sellRentalAtDesk(tokens.manager, { status: "confirmed" });
    const path = `/reservations/${sold.reservation.id}`;
    await send("POST", `${path}/payment-links`, { purpose: "payment", amount: "12.5" });
    await readReservationAnswer(applyBookingAction(sold, "cancel", { reason: "Ill" }, { token: tokens.manager }));
    const [cancelled, linked] = await readHistory(path);
    expect(cancelled).toMatchObject({
      move: "cancelled",
      before: { status: "confirmed" },
      after: { status: "cancelled", fee: "0.00", to_refund: "0.00" },
    });
    expect(linked).toMatchObject({ after: { purpose: "payment", amount: "12.50", send: false } });
  });

  test("writes the times of a vehicle's block in the history as local times", async () => {
    const period = { from: `${getBookableDay(2)}T10:00`, to: `${getBookableDay(3)}T08:30` };
    await send("POST", "/vehicles/A-1/blocks", { ...period, reason: "workshop" });
    const [blocked] = await readHistory("/vehicles/A-1");
    expect(blocked).toMatchObject({ move: "blocked", after: { starts_at: period.from, ends_at: period.to } });
  });

  test("writes a customer's discount in the history as a percentage, and all field names in snake case", async () => {
    const body = { name: "Eva", surname: "Sol", payment_terms_days: 30, discount_percent: "7.50" };
    const { customer } = await (await send("POST", "/customers", body)).json<{ customer: { id: number } }>();
    await send("PATCH", `/customers/${customer.id}`, { expected_version: 1, discount_percent: "8.25" });
    const [changed, created] = await readHistory(`/customers/${customer.id}`);
    expect(changed).toMatchObject({ before: { discount_percent: "7.50" }, after: { discount_percent: "8.25" } });
    expect(created).toMatchObject({ after: { payment_terms_days: 30, discount_percent: "7.50" } });
    expect(Object.keys({ ...changed?.after, ...created?.after }).filter((name) => !isSnakeCase(name))).toEqual([]);
  });
});
