import "./page.ts";
import { beforeAll, expect, test } from "vitest";
import { setAccount } from "../../pwa/office/src/account.ts";
import type { TaskKindAndParams } from "../../pwa/office/src/pages/today/task-resolutions.ts";
import {
  formatTaskParam,
  formatTaskReason,
  formatUnbookedMoney,
  formatVehicleDueDates,
} from "../../pwa/office/src/pages/today/task-texts.ts";
import { loadTexts } from "../../pwa/office/src/texts.ts";

beforeAll(async () => {
  Object.assign(document.documentElement, { lang: "de" });
  setAccount({ currency: "EUR", currency_decimals: 2, timezone: "Europe/Berlin" });
  await loadTexts("de");
});

const replaceHardSpaces = (text: string | undefined) => text?.replaceAll("\u00a0", " ");

test("lists the unrecorded payments and deposits of a rejected or held operation by kind and amount", () => {
  const params = {
    code: "x",
    unbooked_payment: "49.00",
    unbooked_deposit_taken: "1300.00",
    unbooked_deposit_returned: "5.50",
  };
  expect(replaceHardSpaces(formatUnbookedMoney(params))).toBe(
    "Nicht erfasst: Zahlung 49,00 €, Kaution erhalten 1.300,00 €, Kaution zurückgezahlt 5,50 €.",
  );
  expect(formatUnbookedMoney({ code: "x" })).toBe("");
});

test("shows when a vehicle's insurance ends, and at how many kilometres its service is due", () => {
  expect(replaceHardSpaces(formatVehicleDueDates({ service_units: 15_000 }))).toBe("Wartung bei Kilometer 15.000");
  expect(formatVehicleDueDates({ insurance: "2027-05-03" })).toContain("3. Mai");
  expect(formatTaskReason({ kind: "vehicle_due", params: { insurance: "2027-05-03" } })).toContain("3. Mai");
});

test("explains why a card hold needs attention", () => {
  const params = { amount: "200.00", end: "2027-05-03", problem: "shorter_than_rental" };
  const text = replaceHardSpaces(formatTaskReason({ kind: "card_hold", params }));
  expect(text).toContain("3. Mai");
  expect(text).toContain("läuft vor der Rückgabe ab");
});

test("shows whether a second payment or a second card hold arrived, and what to do with it", () => {
  const outcomeText = (outcome: string) =>
    formatTaskReason({ kind: "payment_mismatch", params: { order: "17", outcome } });
  expect(outcomeText("second_payment")).toMatch(/^Zahlung 17: doppelt bezahlt: .*erstatten/);
  expect(outcomeText("second_hold")).toMatch(/^Zahlung 17: zweite Vorautorisierung: .*freigeben$/);
});

test("names the amount and the gateway of a refund beyond what was paid", () => {
  const params = { order: "17", outcome: "refund_exceeds_paid", amount: "20.00", gateway: "tpvA256" };
  expect(replaceHardSpaces(formatTaskReason({ kind: "payment_mismatch", params }))).toMatch(
    /^Zahlung 17: Redsys hat 20,00 € mehr erstattet als bezahlt\./,
  );
});

test("formats amounts in any currency, including yen and dinars", () => {
  const formatIn = (currency: string, currency_decimals: number, ...fact: Parameters<typeof formatTaskParam>) => {
    setAccount({ currency, currency_decimals, timezone: "Asia/Tokyo" });
    return replaceHardSpaces(formatTaskParam(...fact));
  };
  expect(formatIn("JPY", 0, "refund_due", "paid", "35845")).toBe("35.845 ¥");
  expect(formatIn("JPY", 0, "refund_waiting", "amount", "50047")).toBe("50.047 ¥");
  expect(formatIn("KWD", 3, "overpaid", "total", "47.723")).toBe("47,723 KWD");
  expect(formatIn("EUR", 2, "document_incomplete", "total", "121.00")).toBe("121,00 €");
  expect(formatTaskParam("overpaid", "total", "")).toBe("");
  expect(formatTaskParam("refund_waiting", "reason", "50047")).toBe("50047");
});

test("explains why a refund is stuck at the payment gateway, with the gateway's own code if it sent one", () => {
  const explain = (problem: string) =>
    replaceHardSpaces(
      formatTaskReason({ kind: "refund_at_gateway", params: { amount: "20.00", order: "000000000017", problem } }),
    );
  const begin = "20,00 € des Vorgangs 000000000017 nicht erstattet: ";
  expect(explain("no_answer")).toBe(`${begin}Der Zahlungsanbieter hat auf die Erstattung nicht geantwortet.`);
  expect(explain("gateway_closed")).toContain("ist nicht eingerichtet");
  expect(explain("SIS0054")).toBe(`${begin}Der Zahlungsanbieter antwortete „SIS0054“.`);
});

test("shows a gateway's own code of a failed capture as the gateway's answer", () => {
  const params = { amount: "200.00", end: "2027-05-03", problem: "charge_expired_for_capture" };
  expect(formatTaskReason({ kind: "card_hold", params })).toContain("antwortete „charge_expired_for_capture“");
});

test("names what a rejected report to the authorities is about, and repeats the authority's answer", () => {
  const params = { what: "AV", error: "10105 cancellation" };
  expect(formatTaskReason({ kind: "ministry_report_refused", params })).toBe("Übergabe: 10105 cancellation");
  expect(formatTaskReason({ kind: "ministry_report_late", params: { what: "hand-over" } })).toMatch(/^Übergabe: /);
});

test("shows codes and names as they are, even if a form field has the same name", () => {
  expect(formatTaskParam("shortage", "code", "deposit")).toBe("deposit");
  expect(formatTaskParam("quote_sold_out", "name", "total")).toBe("total");
});

test("shows an accounting error as the accounting system wrote it", () => {
  const params = { number: "A-26/31", error: "unknown" };
  expect(formatTaskReason({ kind: "document_not_integrated", params })).toBe(
    "A-26/31 nicht verbucht. Die Buchhaltung meldet: unknown",
  );
});

test("names missing customer data as in its form", () => {
  const missing = "name, document_id, address_street, address_city";
  expect(formatTaskParam("document_incomplete", "missing", missing)).toBe("Name, Steuernummer, Straße, Ort");
});

test("shows a security task of failed sign-ins with their number, and of a restored database without one", () => {
  const alert = (params: Record<string, string | number>) => formatTaskReason({ kind: "security_alert", params });
  expect(alert({ event: "database_restored" })).not.toMatch(/undefined|\{/);
  expect(alert({ event: "sign_in_failed", count: 20 })).toContain("20");
});

test("shows the pickup time of an unconfirmed imported reservation, and what to do", () => {
  const task = { kind: "unconfirmed_import", params: { from: "2027-05-03 10:00" } } as const;
  expect(formatTaskReason(task)).toMatch(/[Ii]mport.*3\. Mai.*10:00\. Bestätigen/);
});

test("shows the time of a no-show, and that a driver reported it", () => {
  const reasonText = (params: Record<string, string | number>) => formatTaskReason({ kind: "no_show", params });
  expect(reasonText({ from: "2027-05-03 10:00", is_transfer: 0 })).toMatch(
    /^Geplante Abholung: .*3\. Mai.*10:00\. Noch nicht abgeholt\.$/,
  );
  expect(reasonText({ from: "2027-05-03 10:00", is_transfer: 1 })).toMatch(/^Fahrer meldet No-Show: .*3\. Mai.*10:00$/);
});

test("shows what an agent retained as an overpayment, and otherwise the paid amount and the total", () => {
  expect(replaceHardSpaces(formatTaskReason({ kind: "overpaid", params: { retained: "121.60" } }))).toContain(
    "121,60 €",
  );
  const both = replaceHardSpaces(formatTaskReason({ kind: "overpaid", params: { paid: "468.80", total: "234.40" } }));
  expect(both).toContain("468,80 €");
  expect(both).toContain("234,40 €");
});

// Proves "office.md": Today in the person's language
test("fills the parameters into the texts of seven kinds of tasks, and returns undefined for an unknown kind", () => {
  const facts: Partial<Record<TaskKindAndParams["kind"], TaskKindAndParams["params"]>> = {
    check_in_to_review: { operation: "collection", author: "Dora Desk", code: "kilometres_jump, closing_to_check" },
    field_work_refused: {
      operation: "delivery",
      author: "Dora Desk",
      code: "booking_cancelled",
      unbooked_payment: "49.00",
    },
    shortage: { missing: 2, code: "ECON", from: "2030-06-01 10:00" },
    transfer_shortage: { missing: 20, vehicle: "Minibus of 8", from: "2030-06-01 16:45" },
    tax_records_unsent: { count: 2, issuer: "B07123458", problem: "representation_missing" },
    tax_record_refused: { number: "A-PMI-26/7", code: "1104", description: "El emisor no es el obligado." },
    tax_chain_broken: { count: 2, number: "T-AIR-26/1", fault: "hash" },
  };
  for (const [kind, params] of Object.entries(facts) as [TaskKindAndParams["kind"], TaskKindAndParams["params"]][]) {
    const text = replaceHardSpaces(formatTaskReason({ kind, params })) ?? "";
    expect([kind, text]).toEqual([kind, expect.not.stringMatching(/\{|undefined/)]);
    for (const fact of ["author", "issuer", "number", "vehicle", "description"])
      if (params[fact] !== undefined) expect(text).toContain(String(params[fact]));
  }
  expect(formatTaskReason({ kind: "field_work_refused", params: facts.field_work_refused ?? {} })).toContain("49,00");
  expect(formatTaskReason({ kind: "unheard" as TaskKindAndParams["kind"], params: {} })).toBeUndefined();
});
