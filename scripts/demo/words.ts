/** What the company writes on its documents, in its own language. */
export interface Words {
  readonly rental: string;
  readonly days: string;
  readonly contract: string;
  readonly advance: string;
  readonly advanceInvoiced: string;
  readonly creditNote: string;
  readonly supplements: Readonly<Record<SupplementName, string>>;
  readonly afterRental: readonly AfterRentalCharge[];
  /** What is sold without a contract: invoiced, on a ticket, as an order, or charged to a department. */
  readonly sundry: Readonly<Record<SundryKind, readonly SundryItem[]>>;
  /** Sold at a fair, from the highest tax rate to none. */
  readonly fair: readonly SundryItem[];
  readonly expenses: Readonly<Record<ExpenseKind, string>>;
  readonly expenseAccounts: readonly ExpenseAccount[];
  readonly comments: readonly string[];
  readonly cancellationReasons: readonly string[];
  readonly blockReasons: Readonly<Record<"workshop" | "transfer" | "other", string>>;
  readonly closures: Readonly<Record<"christmas" | "newYear", string>>;
}

export type SupplementName =
  | "timeFrom"
  | "timeTo"
  | "pickupPlace"
  | "returnPlace"
  | "driverAge"
  | "category1"
  | "category2"
  | "category3";

/** Found at collection and invoiced apart: which of the booking's supplements it is, and whether the deposit pays it. */
export interface AfterRentalCharge {
  readonly supplement: 1 | 2 | 3;
  readonly concept: string;
  readonly fromCents: number;
  readonly toCents: number;
  readonly keptFromDeposit: boolean;
}

export type SundryKind = "invoice" | "ticket" | "order" | "bond";

export interface SundryItem {
  readonly concept: string;
  readonly unitCents: number;
  readonly externalCode: string;
}

export type ExpenseKind =
  | "insurance"
  | "renting"
  | "tyres"
  | "repair"
  | "service"
  | "inspection"
  | "cleaning"
  | "roadTax";

export interface ExpenseAccount {
  readonly id: number;
  readonly name: string;
  readonly kinds: readonly ExpenseKind[];
}
