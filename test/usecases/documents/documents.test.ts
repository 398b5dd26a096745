import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { insertContracts } from "#support/contracts.ts";
import { addFaults, openTestTenant } from "#support/databases.ts";
import { invoiceContract } from "#worker/usecases/documents/invoice-contract.ts";
import type { StaffContext } from "#worker/usecases/documents/staff-context.ts";

const NOW = Date.parse("2030-05-06T10:00:00Z");
/** A release issues all of them. */
const AT_ONCE = inject("isThorough") ? 200 : 50;
const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

function createDesk(changes: Partial<StaffContext> = {}): StaffContext {
  return {
    tenant: openTestTenant(env),
    staff: { userId: 1, role: "administrator", branches: "all" },
    factor: "fresh",
    now: NOW,
    ...changes,
  };
}

function issue(bookingId: number, requestId = `request-${bookingId}`, desk = createDesk()) {
  return invoiceContract(desk, { requestId, bookingId, advanceCents: undefined, issued: true });
}

const rows = async <T = Record<string, unknown>>(sql: string) => (await env.TENANT_ACME.prepare(sql).all<T>()).results;

/** Checks that items, tax rates and totals of each issued document match. */
async function expectBooksToAddUp(): Promise<void> {
  const inconsistentDocuments = await rows(`SELECT documents.id FROM documents WHERE invoice_status = 'invoice' AND (
    (SELECT (total(total_without_taxes_cents), total(subtotal_cents), total(taxes_cents), total(total_cents)) IS NOT
      (documents.total_without_taxes_cents, documents.subtotal_cents, documents.taxes_cents, documents.total_cents) FROM document_items WHERE document_id = documents.id)
    OR (kind = 'invoice' AND (SELECT (total(subtotal_cents), total(taxes_cents)) IS NOT (documents.subtotal_cents, documents.taxes_cents)
      FROM document_taxes WHERE document_id = documents.id))
    OR EXISTS (SELECT 1 FROM document_taxes AS tax WHERE document_id = documents.id AND (tax.subtotal_cents, tax.taxes_cents) IS NOT
      (SELECT total(subtotal_cents), total(taxes_cents) FROM document_items WHERE document_id = documents.id AND vat_basis_points = tax.vat_basis_points)))`);
  expect(inconsistentDocuments).toEqual([]);
}

async function gaps(): Promise<unknown[]> {
  return rows(`SELECT kind, branch_code, serie, year, count(*) AS n, min(number) AS first, max(number) AS last FROM documents
    WHERE invoice_status = 'invoice' GROUP BY 1, 2, 3, 4 HAVING first <> 1 OR last <> n`);
}

beforeEach(async () => {
  await setUpCompany();
});

describe("invoices of 200 contracts at once", () => {
  beforeEach(async () => {
    await insertContracts(
      ids(200).map((id) => ({
        id,
        status: "done",
        branch: id % 2 === 0 ? "AIR" : "TOWN",
        customerType: id % 5 === 0 ? "internal_department" : "individual",
      })),
    );
  });

  // Proves "rules.md and documents.md: the life of documents": 200 collections at once: every invoice adds up, no
  //   number is missing
  test("issues invoices of many contracts at once with correct sums by rate and numbers without a gap", async () => {
    const late = addFaults(env.TENANT_ACME, [{ delayMilliseconds: () => Math.random() * 20 }]);
    const outcomes = await Promise.all(
      ids(AT_ONCE).map((id) =>
        issue(id, `request-${id}`, createDesk({ tenant: openTestTenant({ ...env, TENANT_ACME: late }) })),
      ),
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    await expectBooksToAddUp();
    expect(await gaps()).toEqual([]);
    const [sum] = await rows(
      "SELECT count(*) AS n, sum(total_cents) AS total FROM documents WHERE invoice_status = 'invoice'",
    );
    expect(sum).toEqual({ n: AT_ONCE, total: AT_ONCE * 12_100 });
  });

  // Proves "rules.md and documents.md: the life of documents": Without the guard numbers are given twice
  test("assigns a document number twice if it is read before it is written, as a negative control", async () => {
    const number = async (id: number) => {
      const [last] = await rows<{ n: number }>(
        "SELECT count(*) + 1 AS n FROM documents WHERE serie = 'A' AND number IS NOT NULL",
      );
      await new Promise((resolve) => setTimeout(resolve, 1));
      await env.TENANT_ACME.prepare("INSERT INTO document_series VALUES ('invoice', 'AIR', 'A' || ?, ?, ?)")
        .bind(id, 2030, last?.n ?? 0)
        .run();
      return last?.n ?? 0;
    };
    const assignedNumbers = await Promise.all(ids(20).map(number));
    expect(new Set(assignedNumbers).size).toBeLessThan(20);
  });
});

describe("contract invoicing", () => {
  beforeEach(async () => {
    await insertContracts([{ id: 7, status: "done" }]);
  });

  test("issues one invoice for simultaneous requests", async () => {
    const outcomes = await Promise.all(ids(10).map((n) => issue(7, `request-${n}`)));
    const refused = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error.kind]));
    expect(refused).toEqual(Array.from({ length: 9 }, () => "nothingToInvoice"));
    expect(await rows("SELECT number FROM documents")).toEqual([{ number: 1 }]);
  });

  test("issues one invoice for a repeated request, simultaneous or after a lost response", async () => {
    const lossyDesk = createDesk({
      tenant: openTestTenant({ ...env, TENANT_ACME: addFaults(env.TENANT_ACME, ["none", "none", "after", "none"]) }),
    });
    expect(await issue(7, "the-request", lossyDesk)).toMatchObject({ ok: true });
    const again = await Promise.all(ids(5).map(() => issue(7, "the-request")));
    expect(again.every(({ ok }) => ok)).toBe(true);
    expect(await rows("SELECT count(*) AS n FROM documents")).toEqual([{ n: 1 }]);
    expect(
      await invoiceContract(createDesk(), { requestId: "the-request", bookingId: 7, advanceCents: 5, issued: true }),
    ).toMatchObject({ error: { kind: "requestTaken" } });
  });

  test("rewrites a contract's only draft and issues it under the next number", async () => {
    const draft = { requestId: "draft-one", bookingId: 7, advanceCents: undefined, issued: false };
    expect(await invoiceContract(createDesk(), draft)).toMatchObject({ ok: true });
    expect(await rows("SELECT invoice_status, number, total_cents FROM documents")).toEqual([
      { invoice_status: "draft", number: null, total_cents: 12_100 },
    ]);
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET supplement_1_cents = 500, total_cents = 12600 WHERE id = 7",
    ).run();
    expect(await issue(7)).toMatchObject({ ok: true });
    expect(await rows("SELECT invoice_status, number, total_cents FROM documents")).toEqual([
      { invoice_status: "invoice", number: 1, total_cents: 12_600 },
    ]);
    await expectBooksToAddUp();
  });

  test("issues an advance invoice, and the final invoice deducts it", async () => {
    expect(
      await invoiceContract(createDesk(), { requestId: "advance-1", bookingId: 7, advanceCents: 5000, issued: true }),
    ).toMatchObject({ ok: true });
    expect(await issue(7)).toMatchObject({ ok: true });
    expect(await rows("SELECT invoice_mode, number, total_cents FROM documents")).toEqual([
      { invoice_mode: "reservation_retainer", number: 1, total_cents: 5000 },
      { invoice_mode: "reservation_breakdown", number: 2, total_cents: 7100 },
    ]);
    await expectBooksToAddUp();
  });

  test("refuses to invoice a contract of another branch as if it didn't exist", async () => {
    const otherBranchDesk = createDesk({ staff: { userId: 2, role: "administrator", branches: ["TOWN"] } });
    expect(await issue(7, "request-1", otherBranchDesk)).toMatchObject({ error: { kind: "bookingNotFound" } });
    expect(await rows("SELECT 1 FROM documents")).toEqual([]);
  });
});

describe("issued documents", () => {
  beforeEach(async () => {
    await insertContracts([{ id: 7, status: "done" }]);
    await issue(7);
    await env.TENANT_ACME.prepare(`INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency,
      branch_code, created_at, last_update) VALUES (7, 'booking', 'charge', 'cash', 1, 100, 'EUR', 'AIR', 1, 1)`).run();
  });

  // Proves "rules.md and documents.md: the life of documents": Issued documents never change
  test.each([
    ["its total", "UPDATE documents SET total_cents = 1, taxes_cents = taxes_cents - total_cents + 1"],
    ["its number", "UPDATE documents SET number = 9"],
    ["its series and its state", "UPDATE documents SET invoice_status = 'draft', number = NULL"],
    ["its customer's address", "UPDATE documents SET customer_address_city = 'Elsewhere'"],
    ["its reference", "UPDATE documents SET reference_detail = 'X'"],
    ["its discount", "UPDATE documents SET discount_type = 'amount'"],
    ["its commission", "UPDATE documents SET agent_commission_prepaid_cents = 5"],
    ["its corrected invoice", "UPDATE documents SET corrects_document_id = 1"],
    ["an item", "UPDATE document_items SET concept = 'X'"],
    [
      "an additional item",
      "INSERT INTO document_items SELECT 99, document_id, concept, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL FROM document_items LIMIT 1",
    ],
    ["a removed item", "DELETE FROM document_items"],
    ["a rate", "UPDATE document_taxes SET vat_basis_points = 1"],
    [
      "an additional tax rate",
      "INSERT INTO document_taxes SELECT document_id, 5, 100, 0, 0, 0, 0 FROM document_taxes LIMIT 1",
    ],
    ["a removed tax rate", "DELETE FROM document_taxes"],
    ["its deletion", "DELETE FROM documents"],
    ["the amount of a charge", "UPDATE charges SET amount_cents = 1"],
    ["a charge", "DELETE FROM charges"],
  ])("rejects changes of an issued document or a charge in the database: %s", async (_, sql) => {
    const before = await rows("SELECT * FROM documents, document_items, document_taxes, charges");
    await expect(env.TENANT_ACME.prepare(sql).run()).rejects.toThrow(
      /document_firm|document_not_deletable|charge_immutable/,
    );
    expect(await rows("SELECT * FROM documents, document_items, document_taxes, charges")).toEqual(before);
  });

  // Proves "rules.md and documents.md: the life of documents": Firm only when it adds up
  test("rejects issuing a document whose sums don't add up", async () => {
    await env.TENANT_ACME.prepare(`INSERT INTO documents (id, kind, branch_code, invoice_mode, concept, customer_type, customer_full_name, currency,
      total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents, created_at, last_update)
      VALUES (50, 'invoice', 'AIR', 'default', 'X', 'individual', 'Ana', 'EUR', 100, 100, 21, 121, 1, 1)`).run();
    const firm =
      "UPDATE documents SET invoice_status = 'invoice', serie = 'A', number = 2, year = 2030, date = '2030-05-06' WHERE id = 50";
    await expect(env.TENANT_ACME.prepare(firm).run()).rejects.toThrow("document_sums");
  });
});
