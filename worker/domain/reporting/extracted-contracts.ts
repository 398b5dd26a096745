import type { AppliedDiscount } from "#domain/bookings/discounts.ts";

/** Stored line of a contract, with its vehicles. */
export interface StoredVehicleLine {
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

export interface StoredExtra {
  readonly id: number;
  readonly extraId: string;
  readonly description: string;
  readonly quantity: number;
  readonly unitCents: number;
  readonly extraCents: number;
  /** Date of a surcharge added after the contract's completion. */
  readonly chargedOn?: string | null;
}

export interface StoredBookingCharge {
  readonly id: number;
  readonly date: number;
  readonly type: "charge" | "payment";
  readonly amountCents: number;
  readonly currency: string;
  readonly method: string;
}

/** Discount of a contract, with the name of the staff member who gave it. */
export type StoredDiscount = AppliedDiscount | null;
