import type { DocumentKind } from "#domain/documents/invoicing.ts";
import type { Cents } from "#domain/money.ts";

/** An item of a document as it is kept. */
export interface KeptItem {
  readonly id: number;
  readonly concept: string;
  readonly quantity: number;
  readonly vat: number;
  readonly taxesIncluded: 0 | 1;
  readonly unitWithoutTaxesCents: number;
  readonly unitTaxesCents: number;
  readonly unitCents: number;
  readonly totalWithoutTaxesCents: number;
  readonly subtotalCents: number;
  readonly taxesCents: number;
  readonly totalCents: number;
  readonly externalCode: string | null;
}

export interface KeptCharge {
  readonly id: number;
  readonly type: "charge" | "payment";
  readonly branchCode: string;
  readonly salesChannelCode: string | null;
  readonly date: number;
  readonly amountCents: number;
  readonly currency: string;
  readonly status: string;
  readonly method: string;
  readonly externalOperationNumber: string | null;
  readonly origin: string | null;
  readonly depositKept: 0 | 1;
  readonly device: string | null;
}

/** A document as it is kept, with all that hangs on it. */
export interface ExtractedDocument {
  readonly kind: DocumentKind;
  readonly id: number;
  readonly companyId: number;
  readonly branchCode: string;
  readonly salesChannelCode: string | null;
  readonly invoiceType: string;
  readonly invoiceMode: string;
  readonly invoiceStatus: "draft" | "invoice";
  readonly serie: string | null;
  readonly number: number | null;
  readonly date: string | null;
  readonly concept: string;
  readonly bookingId: number | null;
  readonly orderReference: string | null;
  readonly customerId: number | null;
  readonly customerType: string;
  readonly customerFullName: string;
  readonly customerDocumentId: string | null;
  readonly customerAddressStreet: string | null;
  readonly customerAddressNumber: string | null;
  readonly customerAddressComplement: string | null;
  readonly customerAddressCity: string | null;
  readonly customerAddressState: string | null;
  readonly customerAddressCountry: string | null;
  readonly customerAddressZip: string | null;
  readonly referenceDetail: string | null;
  readonly referenceDates: string | null;
  readonly referenceAgency: string | null;
  readonly currency: string;
  readonly discountType: string;
  readonly discountBasisPoints: number;
  readonly totalWithoutTaxesCents: Cents;
  readonly discountCents: Cents;
  readonly subtotalCents: Cents;
  readonly taxesCents: Cents;
  readonly totalCents: Cents;
  readonly totalPaidCents: Cents;
  readonly agentCommissionPrepaidCents: Cents;
  readonly accountingProcessed: boolean;
  readonly items: readonly KeptItem[];
  readonly charges: readonly KeptCharge[];
}

/** By which codes an ERP knows a branch and its group. */
export interface ExternalCodes {
  readonly code: string;
  readonly locationExternalCode: string | null;
  readonly storageExternalCode: string | null;
}

/** A charge with what it pays and who paid. */
export interface ExtractedCharge {
  readonly id: number;
  readonly bookingId: number | null;
  readonly documentId: number | null;
  readonly sourceDoc: string;
  readonly virtual: boolean | null;
  readonly paymentType: string;
  readonly paymentMethodId: string;
  readonly date: number;
  readonly amountCents: Cents;
  readonly branchCode: string;
  readonly salesChannelCode: string | null;
  readonly externalOperationNumber: string | null;
  readonly offlinePhysicalDeviceId: string | null;
  readonly chargeAccountingProcessed: boolean;
  readonly serie: string | null;
  readonly number: number | null;
  readonly invoiceStatus: string | null;
  readonly orderReference: string | null;
  readonly documentProcessed: boolean | null;
  readonly documentCustomer: string | null;
  readonly documentCustomerId: string | null;
  readonly bookingName: string | null;
  readonly bookingSurname: string | null;
  readonly bookingCustomerId: string | null;
}
