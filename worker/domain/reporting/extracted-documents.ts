/** Stored item of a document. */
export interface StoredDocumentItem {
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
  /** Contract of an item of a collective document. */
  readonly bookingId: number | null;
}

export interface StoredCharge {
  readonly id: number;
  readonly type: "charge" | "payment";
  readonly branchCode: string;
  readonly salesChannelCode: string | null;
  readonly date: number;
  readonly amountCents: number;
  readonly currency: string;
  readonly method: string;
  readonly externalOperationNumber: string | null;
  readonly origin: string | null;
  readonly depositKept: 0 | 1;
  readonly device: string | null;
}

/** Number of another document. */
export interface StoredDocumentNumber {
  readonly serie: string;
  readonly number: number;
}

/** Amount of a payment allocated to a document. Negative for a refund. */
export interface StoredChargeAllocation extends StoredDocumentNumber {
  readonly documentId: number;
  readonly amountCents: number;
}
