import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { arbitraryMoney, type ContractMoney } from "#support/money-of-contract.ts";
import { createSqliteD1, type SqliteD1 } from "#support/sqlite-d1.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { allocateMoneyStatements } from "#worker/store/documents/allocation.ts";
import { allocateContract } from "../oracles/document-allocation.ts";

const CONTRACT = 7;

// Only documents and charges, because their contracts don't matter here.
function write({ rows }: SqliteD1, { documents, money }: ContractMoney): void {
  for (const table of ["charge_allocations", "charges", "documents"]) rows(`DELETE FROM ${table}`);
  for (const { id, dueCents, correctsId, isReplaced } of documents)
    rows(
      `INSERT INTO documents (id, kind, branch_code, invoice_type, invoice_mode, invoice_status, serie, number, year, date, concept, booking_id,
        corrects_document_id, customer_type, customer_full_name, currency, total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents,
        replaced_by_document_id, created_at, last_update) VALUES (?1, 'invoice', 'A', ?2, 'default', 'invoice', 'A', ?1, 2030, '2030-01-01', '', ${CONTRACT}, ?3, 'individual', '',
        'EUR', ?4, ?4, 0, ?4, ?5, 1, 1)`,
      id,
      correctsId === undefined ? "invoice" : "payment",
      correctsId ?? null,
      dueCents,
      isReplaced ? 999 : null,
    );
  for (const { id, cents, documentId } of money)
    rows(
      `INSERT INTO charges (id, booking_id, document_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code,
        created_at, last_update) VALUES (?, ${CONTRACT}, ?, 'booking', ?, 'cash', 1, ?, 'EUR', 'A', 1, 1)`,
      id,
      documentId ?? null,
      cents > 0 ? "charge" : "payment",
      Math.abs(cents),
    );
}

// Proves "rules.md and documents.md: the life of documents": The database spreads it as the domain does
test("allocates a contract's payments in SQL exactly as in the code, also after later payments", async () => {
  const sqlite = createSqliteD1();
  const { db, rows } = sqlite;
  rows("PRAGMA foreign_keys = off");
  for (const { name } of rows<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
    rows(`DROP TRIGGER ${name}`);
  const database = openDatabase(db, createUsageMeter());
  await fc.assert(
    fc.asyncProperty(arbitraryMoney, fc.boolean(), async (all, isLater) => {
      write(sqlite, { ...all, money: isLater ? all.money.slice(0, 2) : [] });
      if (isLater) await database.batch([...allocateMoneyStatements(database, { bookingId: CONTRACT }, 1)]);
      const storedAllocations = rows("SELECT document_id, charge_id, amount_cents FROM charge_allocations");
      write(sqlite, all);
      for (const row of storedAllocations)
        rows("INSERT INTO charge_allocations VALUES (?, ?, ?)", ...(Object.values(row) as number[]));
      await database.batch([...allocateMoneyStatements(database, { bookingId: CONTRACT }, 1)]);
      const { allocations, paidCents } = allocateContract(all.documents, all.money);
      expect(
        rows(
          "SELECT charge_id AS chargeId, document_id AS documentId, amount_cents AS cents FROM charge_allocations ORDER BY 1, 2",
        ),
      ).toEqual(allocations.toSorted((a, b) => a.chargeId - b.chargeId || a.documentId - b.documentId));
      expect(rows("SELECT id, total_paid_cents AS paid FROM documents ORDER BY id")).toEqual(
        [...paidCents].toSorted(([a], [b]) => a - b).map(([id, paid]) => ({ id, paid })),
      );
    }),
    { numRuns: inject("isThorough") ? 300 : 60 },
  );
});
