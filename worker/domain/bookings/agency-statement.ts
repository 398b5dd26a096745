import { applyRate, type BasisPoints, type Cents, sumCents } from "#domain/money.ts";

/** Finished or cancelled reservation of an agency, with its commission. */
export interface AgencyStatementReservation {
  readonly bookingId: number;
  readonly status: string;
  /** Cost of the products. */
  readonly itemCents: Cents;
  readonly basisPoints: BasisPoints;
  readonly paidCents: Cents;
}

/** Amounts of a statement's line, or of all its lines. */
export interface AgencyStatementAmounts {
  readonly saleCents: Cents;
  readonly commissionCents: Cents;
  readonly paidCents: Cents;
  /** Balance that the company owes the agency. Negative if the agency received too much. */
  readonly balanceCents: Cents;
}

/** Returns the sale and commission of a reservation. A cancelled one earns nothing. */
export function toAgencyStatementLine({
  status,
  itemCents,
  basisPoints,
  paidCents,
}: Omit<AgencyStatementReservation, "bookingId">): AgencyStatementAmounts {
  const saleCents = status === "cancelled" ? 0 : itemCents;
  const commissionCents = applyRate(saleCents, basisPoints);
  return { saleCents, commissionCents, paidCents, balanceCents: commissionCents - paidCents };
}

/** Returns the totals of a statement: the sums of its lines. */
export function sumAgencyStatement(lines: readonly AgencyStatementAmounts[]): AgencyStatementAmounts {
  const sum = (amount: keyof AgencyStatementAmounts) => sumCents(lines.map((line) => line[amount]));
  return {
    saleCents: sum("saleCents"),
    commissionCents: sum("commissionCents"),
    paidCents: sum("paidCents"),
    balanceCents: sum("balanceCents"),
  };
}
