import { MINUTES_PER_DAY } from "#domain/dates.ts";
import { draftCollectiveInvoice } from "#domain/documents/collective.ts";
import { getBranch } from "./company.ts";
import { toContractToInvoice } from "./contract-payments.ts";
import type { DemoCustomer } from "./customers.ts";
import type { DemoCompany } from "./describe-company.ts";
import { createDocumentCustomer, type PlannedDocument } from "./documents.ts";
import type { SettledContract } from "./settlement.ts";
import type { NewDemoRows } from "./tables.ts";

const INVOICED_TOGETHER = 2;
const STILL_TO_INVOICE = 2;
const DAYS_SINCE_INVOICE = 1;

/** Contracts that one company pays for its employees. */
export interface CompanyBilling {
  readonly payer: DemoCustomer;
  readonly invoiced: readonly SettledContract[];
  readonly toInvoice: readonly SettledContract[];
  /** The longest contract, billed monthly. */
  readonly monthly: SettledContract;
  readonly document: PlannedDocument;
}

/** Plans the contracts and the collective invoice of a paying company. Undefined if there are too few. */
export function planCompanyBilling(
  company: DemoCompany,
  contracts: readonly SettledContract[],
): CompanyBilling | undefined {
  const [payer] = company.customersOf("legal_entity");
  const createdAt = company.now - DAYS_SINCE_INVOICE * MINUTES_PER_DAY;
  const fit = contracts.filter((contract) => isFit(contract, createdAt));
  const byIssuer = [...Map.groupBy(fit, (contract) => getIssuer(company, contract)).values()];
  const [ofIssuer = []] = byIssuer.toSorted((a, b) => b.length - a.length);
  const monthly = ofIssuer.toSorted((a, b) => b.draft.terms.days - a.draft.terms.days || a.id - b.id)[0];
  const others = ofIssuer.filter((contract) => contract !== monthly);
  const invoiced = others.slice(0, INVOICED_TOGETHER);
  const toInvoice = others.slice(INVOICED_TOGETHER, INVOICED_TOGETHER + STILL_TO_INVOICE);
  if (!payer || !monthly || toInvoice.length < STILL_TO_INVOICE) return undefined;
  const customer = createDocumentCustomer(payer);
  const drafted = draftCollectiveInvoice(
    invoiced.map((contract) => ({
      ...toContractToInvoice({ company, contract, documents: [], prepaidCents: 0 }, false),
      customer,
      territory: getBranch(company, contract.pickupPlace.branchCode).taxTerritory,
    })),
    customer,
  );
  if (!drafted.ok) throw new Error(`the collective invoice was refused: ${JSON.stringify(drafted.error)}`);
  const document = { draft: drafted.value.invoice, createdAt, isDraft: false, contracts: invoiced };
  return { payer, invoiced, toInvoice, monthly, document };
}

// Identifies the company and tax territory that invoice a contract. A collective invoice must have only one of each.
function getIssuer(company: DemoCompany, { pickupPlace }: SettledContract): string {
  const { companyId, taxTerritory } = getBranch(company, pickupPlace.branchCode);
  return `${companyId} ${taxTerritory}`;
}

// Whether a contract can be billed to the company: an upcoming rental of a person, without an agency, unpaid and not
// invoiced.
function isFit(contract: SettledContract, before: number): boolean {
  const { status, customer, agency, agent, documents, payments, createdAt } = contract;
  const isPerson = customer.customerType === "individual" && agency === undefined && agent === undefined;
  return status === "confirmed" && isPerson && documents.length === 0 && payments.length === 0 && createdAt < before;
}

/** Creates the payers of the contracts. */
export function createContractPayerRows(billing: CompanyBilling | undefined): NewDemoRows {
  if (!billing) return {};
  const { payer, invoiced, toInvoice, monthly } = billing;
  return {
    bookingBilling: [
      ...[...invoiced, ...toInvoice].map(({ id }) => ({ bookingId: id, customerId: payer.id })),
      { bookingId: monthly.id, customerId: payer.id, period: "month" as const },
    ].toSorted((a, b) => a.bookingId - b.bookingId),
  };
}
