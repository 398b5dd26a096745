import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { enableTaxRecords, makeTaxAgencyFail, readTaxAgencyRecords, sendTaxRecordsNow } from "#support/tax-agency.ts";
import {
  addCustomerTaxData,
  CORRECTION_REASON,
  issueInvoice,
  sendDocumentRequest,
  setInvoiceExchangeMethod,
} from "#support/tax-records.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

interface StoredRecord {
  readonly hash: string;
  readonly state: string;
  readonly type: string;
}

const FAULTS = ["down", "lost_answer", "suspended", "refuse"] as const;
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("issue" as const), isFull: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("credit" as const),
      of: fc.nat(20),
      reason: fc.constantFrom("correction", "insolvency", "bad_debt", "other"),
      amount: fc.constantFrom(undefined, "5.00", "40.00"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("exchange" as const),
      of: fc.nat(20),
      by: fc.constantFrom("credit_note" as const, "replacement" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("amend" as const, "annul" as const), of: fc.nat(20) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("send" as const), fault: fc.constantFrom(undefined, undefined, ...FAULTS) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const credit = (documentId: number, reason: "correction" | "insolvency" | "bad_debt" | "other") =>
  ({ do: "credit", of: documentId, reason, amount: undefined }) as const;
/** A sequence with every kind of record, including a lost and a rejected submission. */
const EVERY_KIND: Step[] = [
  ...Array.from({ length: 4 }, () => ({ do: "issue", isFull: true }) as const),
  { do: "send", fault: "lost_answer" },
  credit(0, "correction"),
  credit(1, "insolvency"),
  { do: "send", fault: "refuse" },
  credit(2, "bad_debt"),
  credit(3, "other"),
  { do: "issue", isFull: false },
  { do: "send", fault: undefined },
  { do: "exchange", of: 8, by: "credit_note" },
  { do: "issue", isFull: false },
  { do: "exchange", of: 11, by: "replacement" },
  { do: "send", fault: "down" },
  { do: "annul", of: 0 },
  { do: "amend", of: 1 },
];

let boss = "";
let contracts = 0;

// Invalid actions are rejected with a message, without an internal error.
async function expectSuccess(answer: Promise<Response>): Promise<void> {
  const { status } = await answer;
  expect([200, 404, 409]).toContain(status);
}

async function takeStep(item: Step): Promise<void> {
  if (item.do === "issue") {
    contracts += 1;
    await issueInvoice(boss, 1000 + contracts, item.isFull);
    return;
  }
  if (item.do === "send") {
    if (item.fault) await makeTaxAgencyFail(item.fault);
    await sendTaxRecordsNow();
    return;
  }
  const { results } = await env.TENANT_ACME.prepare(
    "SELECT id, booking_id AS contract FROM documents ORDER BY id",
  ).all<{
    id: number;
    contract: number;
  }>();
  const document = results[item.of % Math.max(1, results.length)];
  if (!document) return;
  const { id } = document;
  if (item.do === "credit") {
    const { reason, amount } = item;
    return expectSuccess(
      sendDocumentRequest(boss, `/documents/${id}/credit-note`, { reason, ...(amount && { amount }) }),
    );
  }
  if (item.do === "exchange") {
    await addCustomerTaxData(document.contract);
    await setInvoiceExchangeMethod(item.by);
    return expectSuccess(sendDocumentRequest(boss, `/documents/${id}/exchange`));
  }
  return expectSuccess(
    callOffice("POST", `/documents/${id}/verifactu/${item.do}`, { token: boss, body: CORRECTION_REASON }),
  );
}

async function readStoredRecords(): Promise<readonly StoredRecord[]> {
  const { results } = await env.TENANT_ACME.prepare(
    `SELECT hash, state, coalesce(content ->> 'type', 'annulment') AS type FROM tax_records JOIN tax_record_states ON record_id = id ORDER BY position`,
  ).all<StoredRecord>();
  return results;
}

async function findChainFaults(): Promise<readonly object[]> {
  const answer = await callOffice("GET", "/tax-records/check", { token: boss });
  return (await answer.json<{ faults: readonly object[] }>()).faults;
}

// Proves "security, privacy and operation": A life of issues, credits, exchanges, amendments and annulments with faults
//   ends with each record at the agency once
test("sends each tax record to the tax agency once and in order, whatever happens to invoices or sending", async () => {
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 16, maxLength: 24, size: "max" }), async (steps) => {
      await setUpCompany();
      await addTestUsers();
      await enableTaxRecords();
      boss = await createToken("boss");
      for (const step of steps) await takeStep(step);
      // Run until all injected faults have occurred. A suspended submission is sent again on request.
      for (let again = 0; again < 6; again++) await sendTaxRecordsNow();
      const storedRecords = await readStoredRecords();
      expect(storedRecords.filter(({ state }) => state === "waiting")).toEqual([]);
      expect(storedRecords.filter(({ state }) => state === "accepted_with_errors")).toEqual([]);
      const acceptedHashes = storedRecords.filter(({ state }) => state === "accepted").map(({ hash }) => hash);
      expect((await readTaxAgencyRecords()).map(({ hash }) => hash)).toEqual(acceptedHashes);
      expect(new Set(acceptedHashes).size).toBe(acceptedHashes.length);
      expect(await findChainFaults()).toEqual([]);
      for (const { type } of storedRecords) kinds.add(type);
    }),
    { numRuns: inject("isThorough") ? 40 : 6, seed: 20_261_122, examples: [[EVERY_KIND]] },
  );
  expect([...kinds].sort()).toEqual(["F1", "F2", "F3", "R1", "R2", "R3", "R4", "R5", "annulment"]);
});
