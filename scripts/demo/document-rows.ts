import { fromCivilMinute } from "#domain/dates.ts";
import { type Cents, sumOf } from "#domain/money.ts";
import type { Clock } from "./clock.ts";
import type { Company } from "./company.ts";
import { datesOf } from "./contract-papers.ts";
import { type Row, type TableRows, yesNo } from "./insert.ts";
import type { Numbered } from "./numbering.ts";
import type { PaperItem } from "./papers.ts";
import type { Customer } from "./people.ts";

const DOCUMENT_CUSTOMER_TYPES: Readonly<Record<Customer["type"], string>> = {
  individual: "individual",
  legal_entity: "legal_entity",
  group_company: "legal_entity_group_company",
  internal_department: "internal_department",
};

/** Documents with their taxes by rate and their items, drafts that are issued once all of them is there. */
export function documentRows(company: Company, clock: Clock, documents: readonly Numbered[]): TableRows[] {
  return [
    { table: "documents", rows: documents.map((document) => documentRow(company, clock, document)) },
    { table: "document_taxes", rows: documents.filter(({ paper }) => paper.kind === "invoice").flatMap(taxRows) },
    { table: "document_items", rows: documents.flatMap(itemRows) },
    { table: "documents", isChange: true, rows: documents.map((document) => issueRow(clock, document)) },
  ];
}

function documentRow(company: Company, clock: Clock, document: Numbered): Row {
  const { paper } = document;
  const { contract, customer } = paper;
  const sums = sumsOf(paper.items);
  const createdAt = clock.toEpochMs(paper.createdAt);
  return {
    id: document.id,
    kind: paper.kind,
    company_id: companyIdOf(company, paper.branchCode),
    branch_code: paper.branchCode,
    sales_channel_code: paper.salesChannel,
    invoice_type: paper.type,
    invoice_mode: paper.mode,
    concept: paper.concept,
    booking_id: contract?.id,
    corrects_document_id: document.correctsId,
    ...customerColumns(customer),
    reference_detail: contract?.units.flatMap(({ vehicle }) => vehicle?.plate ?? []).join(", ") || null,
    reference_dates: contract ? datesOf(contract) : null,
    reference_agency: contract?.agency?.name,
    currency: company.settings.currency,
    discount_type: paper.discount > 0 ? "percentage" : "none",
    discount_basis_points: paper.discount,
    total_without_taxes_cents: sums.totalWithoutTaxesCents,
    discount_cents: sums.totalWithoutTaxesCents - sums.subtotalCents,
    subtotal_cents: sums.subtotalCents,
    taxes_cents: sums.taxesCents,
    total_cents: sums.totalCents,
    total_paid_cents: document.paidCents,
    agent_commission_prepaid_cents: paper.agentPrepaidCents,
    accounting_processed: yesNo(document.isProcessed),
    integration_error: document.integrationError,
    order_reference: paper.orderReference,
    created_at: createdAt,
    last_update: createdAt - 1,
  };
}

function issueRow(clock: Clock, { id, paper, year, number, changedAt }: Numbered): Row {
  return {
    id,
    invoice_status: paper.isDraft ? "draft" : "invoice",
    serie: paper.isDraft ? null : paper.serie,
    number,
    year,
    date: paper.isDraft ? null : fromCivilMinute(paper.createdAt).date,
    last_update: clock.toEpochMs(changedAt),
  };
}

function customerColumns(customer: Customer): Row {
  return {
    customer_id: customer.id,
    customer_type: DOCUMENT_CUSTOMER_TYPES[customer.type],
    customer_full_name: `${customer.name} ${customer.surname}`.trim(),
    customer_document_id: customer.documentId,
    customer_address_street: customer.street,
    customer_address_number: customer.number,
    customer_address_complement: customer.complement,
    customer_address_city: customer.city,
    customer_address_state: customer.state,
    customer_address_country: customer.origin.country,
    customer_address_zip: customer.zip,
  };
}

// A branch is billed by the company that runs it: the second legal person is company 2.
function companyIdOf({ branches }: Company, code: string): number {
  const ids = [...new Set(branches.map(({ documentId }) => documentId))];
  return ids.indexOf(branches.find((branch) => branch.code === code)?.documentId ?? "") + 1;
}

interface Sums {
  readonly totalWithoutTaxesCents: Cents;
  readonly subtotalCents: Cents;
  readonly taxesCents: Cents;
  readonly totalCents: Cents;
}

function sumsOf(items: readonly PaperItem[]): Sums {
  return {
    totalWithoutTaxesCents: sumOf(items.map((item) => item.totalWithoutTaxesCents)),
    subtotalCents: sumOf(items.map((item) => item.subtotalCents)),
    taxesCents: sumOf(items.map((item) => item.taxesCents)),
    totalCents: sumOf(items.map((item) => item.totalCents)),
  };
}

function taxRows({ id, paper }: Numbered): Row[] {
  const rates = [...Map.groupBy(paper.items, ({ vat }) => vat)].sort(([a], [b]) => b - a);
  return rates.map(([vat, items], index) => {
    const sums = sumsOf(items);
    return {
      document_id: id,
      position: index + 1,
      vat_basis_points: vat,
      total_without_taxes_cents: sums.totalWithoutTaxesCents,
      discount_cents: sums.totalWithoutTaxesCents - sums.subtotalCents,
      subtotal_cents: sums.subtotalCents,
      taxes_cents: sums.taxesCents,
    };
  });
}

function itemRows({ id, paper }: Numbered): Row[] {
  return paper.items.map((item) => ({
    document_id: id,
    concept: item.concept,
    quantity: item.quantity,
    vat_basis_points: item.vat,
    unit_without_taxes_cents: item.unitWithoutTaxesCents,
    unit_taxes_cents: item.unitCents - item.unitWithoutTaxesCents,
    unit_cents: item.unitCents,
    total_without_taxes_cents: item.totalWithoutTaxesCents,
    subtotal_cents: item.subtotalCents,
    taxes_cents: item.taxesCents,
    total_cents: item.totalCents,
    external_code: item.externalCode,
  }));
}
