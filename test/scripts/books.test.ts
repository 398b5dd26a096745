import { describe, expect, test } from "vitest";
import { formatChainFault } from "#domain/tax-records/audit.ts";
import { auditBooks, type ExtractedMoneyData } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { openCopiedDemo } from "#support/demo-data.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { findTaxRecordFaults } from "#worker/usecases/tax-records/audit-records.ts";

const timezones = { acme: "Europe/Madrid", globex: "America/New_York" } as const;

describe.each(["acme", "globex"] as const)("accounting of %s, rebuilt from the integration data", (account) => {
  // Proves "rules.md and documents.md: the life of documents": (company, serie, number) once, from 1, dates that rise
  test("rebuilds an account's accounting from its data without a difference of a cent", async () => {
    const { db } = await openCopiedDemo(account);
    const books = auditBooks(await extractLocalMoneyData(db, { decimals: 2, timezone: timezones[account] }));
    expect(books.documents).toBeGreaterThan(100);
    expect(books.charges).toBeGreaterThan(100);
    expect(books).toMatchObject({ differences: [], remarks: [] });
  });
});

// Proves "security, privacy and operation": The books name each fault in the chain of records
describe("the chain of tax records", async () => {
  const audited = async (change?: string) => {
    const { db, rows } = await openCopiedDemo("acme");
    if (change !== undefined) {
      // Remove the database's triggers, because the platform can't do this.
      for (const { name } of rows<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'tax_records'",
      ))
        rows(`DROP TRIGGER ${name}`);
      rows("PRAGMA foreign_keys = off");
      rows(change);
    }
    return findTaxRecordFaults(openDatabase(db, createUsageMeter()));
  };
  const sentences = async (change: string) => (await audited(change)).faults.map(formatChainFault).join("\n");
  const THIRD = "position = 3 AND chain LIKE 'B07123458/%'";

  test("covers every document of the demo account by valid tax records since records began", async () => {
    const { records, faults } = await audited();
    expect(faults).toEqual([]);
    expect(records).toBeGreaterThan(300);
  });

  test("reports no tax records and no faults for an account without them", async () => {
    const { db } = await openCopiedDemo("globex");
    expect(await findTaxRecordFaults(openDatabase(db, createUsageMeter()))).toMatchObject({
      records: 0,
      faults: [],
    });
  });

  test.each<[string, string, RegExp[]]>([
    [
      "a record that was removed",
      `DELETE FROM tax_records WHERE ${THIRD}`,
      [/record 4 of B07123458.*: a record before it is missing/, /^\S+: it has no tax record$/m],
    ],
    [
      "the last record, removed",
      `DELETE FROM tax_records WHERE id = (SELECT last_record_id FROM tax_chains WHERE issuer = 'B07123458')`,
      [/ends elsewhere/, /it has no tax record/],
    ],
    [
      "a whole chain, removed",
      "DELETE FROM tax_records WHERE chain LIKE 'B07123458/%'",
      [/^B07123458\S+: its record is the last of the chain, which ends elsewhere/m, /it has no tax record/],
    ],
    [
      "a changed text",
      `UPDATE tax_records SET hashed = replace(hashed, 'ImporteTotal=', 'ImporteTotal=1') WHERE ${THIRD}`,
      [/record 3 of .*: the hash of its record is not/, /says something else than what was hashed/],
    ],
    [
      "a changed amount",
      `UPDATE tax_records SET content = json_set(content, '$.total', '0.01') WHERE ${THIRD}`,
      [/record 3 of .*: its record says something else than what was hashed/, /does not say what the document says/],
    ],
    [
      "a record with another valid hash",
      `UPDATE tax_records SET hash = upper(hex(randomblob(32))) WHERE ${THIRD}`,
      [/record 3 of .*: the hash/, /record 4 of .*: its record does not name the hash of the one before/],
    ],
    [
      "a record of another document",
      `UPDATE tax_records SET document_id = document_id + 1 WHERE ${THIRD}`,
      [/does not say what the document says/],
    ],
    [
      "a record that is older than the one before",
      `UPDATE tax_records SET generated_at = 0 WHERE ${THIRD}`,
      [/is older than the one before/],
    ],
  ])("reports %s in the chain of tax records", async (_, change, expected) => {
    const auditSentences = await sentences(change);
    for (const regExp of expected) expect(auditSentences).toMatch(regExp);
  });
});

// Proves "rules.md and documents.md: the life of documents": The books name what is replaced by nothing, or by another
//   total
// Proves "rules.md and documents.md: the life of documents": npm run books names each cent that does not balance
describe("differences in the rebuilt accounting", async () => {
  const { db } = await openCopiedDemo("acme");
  const right = await extractLocalMoneyData(db, { decimals: 2, timezone: "Europe/Madrid" });
  const firm = right.documents.find((document) => document.document_kind === "full" && document.charges.length > 0);
  const simplified = right.documents.find(
    (document) => document.document_kind === "simplified" && document.charges.length === 0,
  );
  const note = right.documents.find((document) => document.invoice_type === "payment");
  const paid = right.charges.find((charge) => charge.allocations.length > 0 && charge.source_doc !== "order");
  const contract = right.contracts.find((contract) => contract.status === "done" && contract.charges.length > 0);
  if (!firm || !simplified || !note || !paid || !contract) throw new Error("the demo has no money");
  const plus = (amount: string, cents: number) => ((Number(amount.replace(".", "")) + cents) / 100).toFixed(2);
  const withDocument = (document: Partial<typeof firm>, baseDocument = firm): ExtractedMoneyData => ({
    ...right,
    documents: right.documents.map((item) =>
      item.id === baseDocument.id ? ({ ...item, ...document } as typeof item) : item,
    ),
  });
  const withContract = (change: Partial<typeof contract>): ExtractedMoneyData => ({
    ...right,
    contracts: right.contracts.map((item) => (item.id === contract.id ? { ...item, ...change } : item)),
  });
  const withCharge = (change: Partial<typeof paid>): ExtractedMoneyData => ({
    ...right,
    charges: right.charges.map((charge) => (charge.id === paid.id ? { ...charge, ...change } : charge)),
  });

  test.each<[string, ExtractedMoneyData, RegExp]>([
    ["a document's total", withDocument({ total: plus(firm.total, 1) }), /is not the sum of its items/],
    [
      "a document's pending amount",
      withDocument({ total_pending: plus(firm.total_pending, 1) }),
      /paid of it with what is pending/,
    ],
    ["a document's paid amount", withDocument({ total_paid: plus(firm.total_paid, 1) }), /count towards it/],
    ["a document number used twice", withDocument({ number: String(Number(firm.number) + 1) }), /stands where/],
    ["a document's date", withDocument({ date: "2999-01-01" }), /is dated before the one before/],
    ["a document's customer", withDocument({ customer_document_id: null }), /to nobody in full/],
    ["a document's customer name", withDocument({ customer_full_name: " " }), /to nobody in full/],
    ["a document's discount", withDocument({ discount: plus(firm.discount, 1) }), /is not its price less its discount/],
    [
      "a rate's base, and its taxes by as much",
      withDocument({ subtotal_1: plus(firm.subtotal_1 ?? "", 1), taxes_1: plus(firm.taxes_1 ?? "", -1) }),
      /has items at .* that are not/,
    ],
    ["a tax rate", withDocument({ vat_1: "99.00" }), /has taxes of .* which are not 99/],
    ["the invoice that a credit note corrects", withDocument({ corrected_invoice_id: 0 }, note), /credits nothing/],
    ["the invoice number on a credit note", withDocument({ corrected_invoice_number: "0" }, note), /by another number/],
    [
      "the full invoice that replaces a simplified one",
      withDocument({ replaced_by_invoice_id: 0 }, simplified),
      /is replaced by nothing that is there/,
    ],
    [
      "the total of replaced invoices",
      withDocument(
        { replaced_by_invoice_id: firm.id, replaced_by_invoice_serie: firm.serie, replaced_by_invoice_number: "0" },
        simplified,
      ),
      /names .* by another number\n.*says another total than what it replaces/,
    ],
    ["a contract's paid amount", withContract({ total_paid: plus(contract.total_paid, 1) }), /its charges/],
    [
      "a contract's amount due",
      withContract({ total_pending: plus(contract.total_pending, 1) }),
      /its papers and its balance/,
    ],
    ["the documents that a charge pays", withCharge({ allocations: [] }), /count towards it/],
    ["a charge below the amounts that it pays", withCharge({ amount: "0.01" }), /counts for/],
  ])("reports a difference in the rebuilt accounting: %s", (_, faultyBooks, sentence) => {
    expect(auditBooks(faultyBooks).differences.join("\n")).toMatch(sentence);
  });

  test("lets an advance take the rounding of all items of its contract, and no more", () => {
    const advance = right.documents.find(({ invoice_mode: mode }) => mode === "reservation_retainer");
    const paidContract = right.contracts.find(({ id }) => String(id) === advance?.reference);
    if (!advance || !paidContract) throw new Error("the demo has no advance");
    const itemCount = paidContract.reservation_lines.length + paidContract.reservation_extras.length;
    const listRateDifferences = (cents: number) => {
      const taxes = plus(advance.taxes_1 ?? "", cents);
      return auditBooks(withDocument({ taxes_1: taxes }, advance)).differences.filter((text) =>
        /which are not/.test(text),
      );
    };
    expect(itemCount).toBeGreaterThan(1);
    expect(listRateDifferences(itemCount)).toEqual([]);
    expect(listRateDifferences(itemCount + 3)).toHaveLength(1);
  });

  describe("retained amount of a cancelled contract", () => {
    const cancelled = right.contracts.find((contract) => {
      const pendingAmount = Number(contract.total_pending);
      return contract.status === "cancelled" && Number(contract.total_paid) + pendingAmount > 0;
    });
    if (!cancelled) throw new Error("the demo keeps no fee");
    const isCancelledDocument = (document: (typeof right.documents)[number]) =>
      document.reference === String(cancelled.id);
    const retainedCents =
      Number(cancelled.total_paid.replace(".", "")) + Number(cancelled.total_pending.replace(".", ""));
    // Simulate a fee that was never invoiced, with all allocations to its documents removed.
    const documentIds = new Set(right.documents.filter(isCancelledDocument).map(({ id }) => id));
    const without: ExtractedMoneyData = {
      ...right,
      documents: right.documents.filter((document) => !isCancelledDocument(document)),
      charges: right.charges.map((charge) => ({
        ...charge,
        allocations: charge.allocations.filter(({ document_id: id }) => !documentIds.has(id)),
      })),
    };
    const listDifferences = ({ differences }: { readonly differences: readonly string[] }) =>
      differences.filter((difference) => difference.startsWith(`contract ${cancelled.id} `));

    // Proves "rules.md and documents.md: the life of documents": … and retained amount of a cancelled contract without
    //   a paper
    test("reports a cancelled contract's retained amount without a document, with how to fix it", () => {
      const books = auditBooks(without);
      expect(listDifferences(books)).toEqual([
        `contract ${cancelled.id} is cancelled: ${retainedCents} is kept of it, and no document says so (invoice it in the office, or import its invoice)`,
      ]);
      expect(books.remarks).toEqual([]);
    });

    test("mentions a retained amount on a draft that lacks customer data, without reporting a difference", () => {
      const [fee] = right.documents.filter(
        (document) => isCancelledDocument(document) && document.invoice_status === "invoice",
      );
      if (!fee) throw new Error("the fee has no paper");
      const draft = { ...fee, invoice_status: "draft", number: null, total_paid: "0.00", charges: [] } as typeof fee;
      const books = auditBooks({ ...without, documents: [...without.documents, draft] });
      expect(listDifferences(books)).toEqual([]);
      expect(books.remarks).toEqual([
        `contract ${cancelled.id} is cancelled: ${retainedCents} is kept of it on draft ${fee.id}, which waits for what its customer lacks`,
      ]);
    });

    test("mentions a retained amount invoiced by another system, without reporting a difference", () => {
      const books = auditBooks({ ...without, imported: new Set([cancelled.id]) });
      expect(listDifferences(books)).toEqual([]);
      expect(books.remarks).toEqual([
        `contract ${cancelled.id} is cancelled: ${retainedCents} is kept of it, whose paper is in the system that it came from`,
      ]);
    });
  });

  test("accepts a document series that another system started, with a remark", () => {
    const seriesDocuments = right.documents.filter(
      (document) => document.serie === firm.serie && document.invoice_status === "invoice",
    );
    const secondDocument = seriesDocuments.toSorted((a, b) => Number(a.number) - Number(b.number))[1];
    const later = (document: (typeof right.documents)[number]) =>
      document.serie !== firm.serie ||
      document.number === null ||
      Number(document.number) >= Number(secondDocument?.number);
    const { differences, remarks } = auditBooks({ ...right, documents: right.documents.filter(later) });
    expect(differences.filter((difference) => difference.includes("stands where"))).toEqual([]);
    expect(remarks).toEqual([`serie ${firm.company_id} ${firm.serie} begins with ${secondDocument?.number} here`]);
  });
});
