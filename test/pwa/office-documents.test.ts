import "./page.ts";
import { beforeEach, describe, expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import { setAccount } from "../../pwa/office/src/account.ts";
import type { ReservationDocument } from "../../pwa/office/src/desk/reservation.ts";
import { proposeJournalPeriod } from "../../pwa/office/src/pages/money/journal.tsx";
import { canInvoice, findNextDocumentAction } from "../../pwa/office/src/pages/reservations/document-actions.ts";

type Documented = Parameters<typeof findNextDocumentAction>[0];

const createRental = (changes: Partial<Documented> = {}): Documented => ({
  ...{ kind: "rental", status: "done", total_cost: "230.40", cancellation_fee: "0.00" },
  ...changes,
});

const createDocument = (changes: Partial<ReservationDocument> = {}) =>
  ({ ...{ id: 1, total: "230.40", invoice_status: "invoice" }, ...changes }) as ReservationDocument;

beforeEach(() => setAccount({ currency_decimals: 2 }));

describe("the action that a reservation's documents need next", () => {
  test("proposes to issue a draft before any other document action", () => {
    const draft = createDocument({ id: 2, invoice_status: "draft" });
    expect(findNextDocumentAction(createRental({ status: "confirmed" }), [createDocument(), draft])).toBe("issue");
  });

  test("proposes to open the contract until the vehicle is back", () => {
    for (const status of ["pending_confirmation", "confirmed", "in_progress"] as const)
      expect(findNextDocumentAction(createRental({ status }), [])).toBe("contract");
  });

  test("proposes to invoice what is missing after the return, also after a credit note", () => {
    expect(findNextDocumentAction(createRental(), [])).toBe("invoice");
    expect(findNextDocumentAction(createRental(), [createDocument({ total: "100.00" })])).toBe("invoice");
    expect(
      findNextDocumentAction(createRental(), [createDocument(), createDocument({ id: 2, total: "-230.40" })]),
    ).toBe("invoice");
  });

  test("proposes to open the latest document if everything is invoiced", () => {
    const [advance, rest] = [createDocument({ total: "100.00" }), createDocument({ id: 2, total: "130.40" })];
    expect(findNextDocumentAction(createRental(), [rest, advance])).toBe(rest);
  });

  test("proposes to invoice the fee of a cancellation, and to open the contract if there is no fee", () => {
    const cancelled = createRental({ status: "cancelled", cancellation_fee: "30.00" });
    expect([findNextDocumentAction(cancelled, []), canInvoice(cancelled)]).toEqual(["invoice", true]);
    const free = createRental({ status: "cancelled", cancellation_fee: "0.00" });
    expect([findNextDocumentAction(free, []), canInvoice(free)]).toEqual(["contract", false]);
  });

  test("proposes to invoice a transfer, which has no contract", () => {
    expect(findNextDocumentAction(createRental({ kind: "transfer", status: "confirmed" }), [])).toBe("invoice");
    const free = createRental({ kind: "transfer", status: "cancelled", cancellation_fee: "0.00" });
    expect(findNextDocumentAction(free, [])).toBeUndefined();
  });
});

describe("the period of a journal", () => {
  test("proposes the last complete month for a journal, also in January", () => {
    const proposeAt = (today: string) =>
      proposeJournalPeriod(new URLSearchParams({ date_from: "2030-05-01" }), today as CivilDate);
    expect(proposeAt("2030-03-31")).toEqual({ date_from: "2030-02-01", date_to: "2030-02-28" });
    expect(proposeAt("2030-01-01")).toEqual({ date_from: "2029-12-01", date_to: "2029-12-31" });
  });

  test("proposes the days of the filtered list for a journal", () => {
    const filters = new URLSearchParams({ date_from: "2029-10-01", date_to: "2029-12-31" });
    expect(proposeJournalPeriod(filters, "2030-03-31" as CivilDate)).toEqual({
      date_from: "2029-10-01",
      date_to: "2029-12-31",
    });
  });
});
