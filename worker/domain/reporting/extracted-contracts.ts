import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Cents } from "#domain/money.ts";

/** A line of a contract as it is kept, with its vehicles. */
export interface KeptLine {
  readonly id: number;
  readonly itemId: string;
  readonly description: string;
  readonly quantity: number;
  readonly unitBaseCents: number;
  readonly unitCents: number;
  readonly itemCents: number;
  readonly depositUnitCents: number;
  readonly supplementUnitCents: readonly [number, number, number];
  /** `[id, reference, plate]` of each unit. */
  readonly units: readonly (readonly [number, string | null, string | null])[];
}

export interface KeptExtra {
  readonly id: number;
  readonly extraId: string;
  readonly description: string;
  readonly quantity: number;
  readonly unitCents: number;
  readonly extraCents: number;
}

export interface KeptBookingCharge {
  readonly id: number;
  readonly date: number;
  readonly type: "charge" | "payment";
  readonly amountCents: number;
  readonly currency: string;
  readonly method: string;
}

/** A contract as it is kept, with all that hangs on it. */
export interface ExtractedContract {
  readonly id: number;
  readonly status: BookingStatus;
  readonly paymentStatus: string;
  readonly dateFrom: string;
  readonly timeFrom: string;
  readonly dateTo: string;
  readonly timeTo: string;
  readonly pickupPlace: string;
  readonly pickupPlaceId: number | null;
  readonly returnPlace: string;
  readonly returnPlaceId: number | null;
  readonly customerType: string;
  readonly customerId: number | null;
  readonly customerName: string;
  readonly customerSurname: string;
  readonly customerEmail: string | null;
  readonly customerPhonePrefix: string | null;
  readonly customerPhone: string | null;
  readonly customerDocumentId: string | null;
  readonly branchCode: string;
  readonly returnBranchCode: string;
  readonly branchGroupId: number;
  readonly salesChannelCode: string | null;
  readonly agencyId: number | null;
  readonly agencyReservationId: string | null;
  readonly agentId: number | null;
  readonly agentCommissionCalculation: string | null;
  readonly agentCommissionFixedCents: Cents;
  readonly agentCommissionBasisPoints: number;
  readonly agentCommissionBaseCents: Cents;
  readonly agentCommissionTotalCents: Cents;
  readonly agentCommissionPrepaidCents: Cents;
  readonly agentCommissionPaid: boolean;
  readonly agentCommissionPaymentDate: string | null;
  readonly customerLanguage: string;
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly itemCents: Cents;
  readonly extrasCents: Cents;
  readonly timeFromCents: Cents;
  readonly timeToCents: Cents;
  readonly pickupPlaceCents: Cents;
  readonly returnPlaceCents: Cents;
  readonly driverAgeCents: Cents;
  readonly categorySupplement1Cents: Cents;
  readonly categorySupplement2Cents: Cents;
  readonly categorySupplement3Cents: Cents;
  readonly supplement1Cents: Cents;
  readonly supplement2Cents: Cents;
  readonly supplement3Cents: Cents;
  readonly totalCents: Cents;
  readonly productDepositCents: Cents;
  readonly productGuaranteeCents: Cents;
  readonly driverAgeDepositCents: Cents;
  readonly productDepositReductionCents: Cents;
  readonly productGuaranteeReductionCents: Cents;
  readonly totalDepositCents: Cents;
  readonly totalPaidCents: Cents;
  readonly createdAt: number;
  readonly lastUpdate: number;
  readonly lines: readonly KeptLine[];
  readonly extras: readonly KeptExtra[];
  readonly charges: readonly KeptBookingCharge[];
}

/** The names beside a contract. */
export interface ReportNames {
  readonly branchName: string;
  readonly returnBranchName: string;
  readonly branchGroupName: string;
  readonly salesChannelName: string | null;
  readonly agencyName: string | null;
  readonly agentName: string | null;
}
