import { EINVOICE_FORMATS, type EInvoiceFormat } from "#domain/e-invoices/formats.ts";
import { openCopiedDemo } from "#support/demo-data.ts";
import { readCatalogueSnapshot } from "#worker/store/catalogue/catalogue.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { readEInvoice } from "#worker/usecases/printing/read-e-invoice.ts";

/** Electronic invoice of a document of the demo, or what a format lacks for it. */
export interface DemoEInvoice {
  readonly id: number;
  readonly format: Exclude<EInvoiceFormat, "facturx">;
  /** Text that is equal for documents of one kind. */
  readonly kind: string;
  readonly xml: string | undefined;
  readonly missing: readonly string[];
}

const KINDS = `SELECT id, coalesce(form, kind) || ' ' || invoice_mode || ' ' || coalesce((SELECT tax_territory FROM branches WHERE code = branch_code), '')
  || ' ' || (SELECT group_concat(vat_basis_points) FROM document_taxes WHERE document_id = documents.id)
  || iif(EXISTS (SELECT 1 FROM document_items WHERE document_id = documents.id AND total_cents < 0), ' negative', '')
  || iif(exchanges_document_id IS NULL, '', ' exchange') || iif(total_paid_cents = total_cents, ' paid', '')
  || iif(EXISTS (SELECT 1 FROM document_contracts WHERE document_id = documents.id), ' collective', '') AS kind
  FROM documents WHERE invoice_status = 'invoice' AND kind = 'invoice' ORDER BY id`;

/** Writes the documents of a demo account in every format. At most `perKind` of each kind. */
export async function writeDemoEInvoices(
  account: "acme" | "globex",
  { perKind }: { readonly perKind: number },
): Promise<readonly DemoEInvoice[]> {
  const { db, rows } = await openCopiedDemo(account);
  completeCustomers(rows);
  const tenant = openDemo(db);
  const byKind = Map.groupBy(rows<{ id: number; kind: string }>(KINDS), ({ kind }) => kind);
  const documents = [...byKind.values()].flatMap((kindRows) => kindRows.slice(0, perKind));
  const demoInvoices: DemoEInvoice[] = [];
  for (const document of documents)
    for (const format of FORMATS) demoInvoices.push(await writeDocument(tenant, document, format));
  return demoInvoices;
}

const FORMATS = EINVOICE_FORMATS.filter((format) => format !== "facturx");

async function writeDocument(
  tenant: Tenant,
  document: { readonly id: number; readonly kind: string },
  format: DemoEInvoice["format"],
): Promise<DemoEInvoice> {
  const read = await readEInvoice({ kind: "partner", tenant }, document.id, { format, now: Date.UTC(2026, 10, 20) });
  if (read.ok) return { ...document, format, xml: new TextDecoder().decode(read.value.value.body), missing: [] };
  if (read.error.kind !== "eInvoiceIncomplete") throw new Error(`${document.id} ${format}: ${read.error.kind}`);
  return { ...document, format, xml: undefined, missing: read.error.missing };
}

function openDemo(binding: D1Database): Tenant {
  const db = openDatabase(binding, createUsageMeter());
  const freshSnapshot = () => readCatalogueSnapshot(db);
  return { db, snapshot: freshSnapshot, freshSnapshot } as unknown as Tenant;
}

// Customers of the demo have no references of administrations and networks.
function completeCustomers(rows: (sql: string) => unknown): void {
  rows(
    `UPDATE customers SET buyer_reference = '04011000-12345-34', einvoice_endpoint = coalesce(einvoice_endpoint, '0088:5012345678900')`,
  );
}
