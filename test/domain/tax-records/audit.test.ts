import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import { type AuditedRecord, CHAIN_FAULT_KINDS, ChainAudit, formatChainFault } from "#domain/tax-records/audit.ts";
import { createTextToHash, type TaxRecordContent } from "#domain/tax-records/records.ts";

const SYSTEM = { version: "1.0", installation: "1", hasSeveralTaxpayers: false };
const computeHash = (text: string) => createHash("sha256").update(text).digest("hex").toUpperCase();

/** Creates a correct record of an invoice over 121.00, after the previous one. */
function createRecord(position: number, previousHash: string, changes: Partial<AuditedRecord> = {}): AuditedRecord {
  const id = { issuer: "B57123456", number: `F26/${position}`, date: "2026-08-01" as CivilDate };
  const content: TaxRecordContent = {
    ...{ kind: "registration", id, issuerName: "Acme", type: "F1", description: "Rental", lines: [] },
    ...{ taxTotal: "21.00", total: "121.00", system: SYSTEM },
  };
  return seal({
    ...{ chain: "B57123456", position, kind: "registration", ...id, content, previousHash, hashed: "", hash: "" },
    generatedAt: 1000 * position,
    document: { number: id.number, date: id.date, totalCents: 12_100, taxesCents: 2100 },
    ...changes,
  });
}

/** Returns the record with the hash of its content. */
function seal(record: AuditedRecord): AuditedRecord {
  const previous = record.previousHash === "" ? undefined : { ...record.content.id, hash: record.previousHash };
  const hashed = createTextToHash({ content: record.content, previous, generatedAt: "2026-08-01T10:00:00+02:00" });
  return { ...record, hashed, hash: computeHash(hashed) };
}

const FIRST = createRecord(1, "");
const SECOND = createRecord(2, FIRST.hash);
const ANNULMENT = seal({
  ...createRecord(2, FIRST.hash),
  kind: "annulment",
  content: { kind: "annulment", id: SECOND.content.id, system: SYSTEM },
  document: { ...SECOND.document, totalCents: 0, taxesCents: 0 },
});

async function findFaults(...records: readonly AuditedRecord[]) {
  const audit = new ChainAudit(async (text) => computeHash(text));
  // Page by page.
  for (const record of records) await audit.add([record]);
  expect(audit.records).toBe(records.length);
  return audit.faults.map(({ fault, position }) => [fault, position]);
}

describe("an audit of a chain", () => {
  test.each<readonly [string, readonly AuditedRecord[], readonly (readonly [string, number])[]]>([
    ["finds nothing in a correct chain", [FIRST, SECOND, createRecord(3, SECOND.hash)], []],
    ["finds nothing in an annulment, which has no amounts", [FIRST, ANNULMENT], []],
    ["follows two chains at once", [FIRST, { ...FIRST, chain: "other" }, SECOND], []],
    ["accepts two records of the same moment", [FIRST, { ...SECOND, generatedAt: 1000 }], []],
    ["finds a missing first record", [SECOND], [["gap", 2]]],
    ["finds a missing record", [FIRST, createRecord(3, SECOND.hash)], [["gap", 3]]],
    ["finds a duplicate record", [FIRST, FIRST], [["gap", 1]]],
    ["finds a record that names another predecessor", [FIRST, createRecord(2, "0".repeat(64))], [["unchained", 2]]],
    ["finds a first record that names a predecessor", [createRecord(1, "0".repeat(64))], [["unchained", 1]]],
    ["finds another hash", [{ ...FIRST, hash: "0".repeat(64) }], [["hash", 1]]],
    [
      "finds another total in the record",
      [withTotals("121.01", "21.00")],
      [
        ["changed", 1],
        ["document", 1],
      ],
    ],
    [
      "finds another number in the record",
      [{ ...FIRST, number: "F26/9" }],
      [
        ["changed", 1],
        ["document", 1],
      ],
    ],
    ["finds another issuer in the record", [{ ...FIRST, issuer: "B87654321" }], [["changed", 1]]],
    ["finds another type of record", [{ ...FIRST, kind: "annulment" }], [["changed", 1]]],
    ["finds a document of another total", [withDocument({ totalCents: 12_101 })], [["document", 1]]],
    ["finds a document of other taxes", [withDocument({ taxesCents: 2099 })], [["document", 1]]],
    ["finds a document of another date", [withDocument({ date: "2026-08-02" })], [["document", 1]]],
    ["finds a document without its number", [withDocument({ number: null })], [["document", 1]]],
    ["finds a record before the previous one", [FIRST, { ...SECOND, generatedAt: 999 }], [["time", 2]]],
  ])("audits a chain of tax records: %s", async (_, records, expected) => {
    expect(await findFaults(...records)).toEqual(expected);
  });

  function withTotals(total: string, taxTotal: string): AuditedRecord {
    return { ...FIRST, content: { ...FIRST.content, total, taxTotal } as TaxRecordContent };
  }

  function withDocument(changes: Partial<AuditedRecord["document"]>): AuditedRecord {
    return { ...FIRST, document: { ...FIRST.document, ...changes } };
  }

  test("reports tax record chains with another last record than expected, and documents without a tax record", async () => {
    const audit = new ChainAudit(async (text) => computeHash(text));
    await audit.add([FIRST, SECOND]);
    audit.end(
      [
        { chain: "B57123456", position: 2 },
        { chain: "lost", position: 4 },
        { chain: "lost too", position: null },
      ],
      [{ documentId: 9, number: "F26/9" }],
    );
    audit.end([{ chain: "B57123456", position: 3 }], []);
    expect(audit.faults.map(formatChainFault)).toEqual([
      "lost: its record is the last of the chain, which ends elsewhere",
      "lost too: its record is the last of the chain, which ends elsewhere",
      "F26/9: it has no tax record",
      "F26/2 (record 2 of B57123456): its record is the last of the chain, which ends elsewhere",
    ]);
  });

  test("describes each fault of a tax record chain differently", () => {
    const sentences = CHAIN_FAULT_KINDS.map((fault) =>
      formatChainFault({ fault, chain: "C", position: 1, number: "F1" }),
    );
    expect(new Set(sentences).size).toBe(CHAIN_FAULT_KINDS.length);
  });
});
