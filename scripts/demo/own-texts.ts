/** What the company writes in its own language, beside what the platform does. */
export interface OwnTexts {
  /** The company's own, which are charged internally. */
  readonly departments: readonly string[];
  /** What is sold without a contract: invoiced, on a ticket, as an order, or charged to a department. */
  readonly sales: Readonly<Record<SaleKind, readonly SaleItem[]>>;
  /** Sold at a fair, from the highest tax rate to none. */
  readonly fair: readonly SaleItem[];
  readonly expenses: Readonly<Record<ExpenseKind, string>>;
  readonly expenseAccounts: readonly ExpenseAccount[];
  readonly comments: readonly string[];
  readonly blockReasons: Readonly<Record<"workshop" | "transfer" | "other", string>>;
  readonly closures: Readonly<Record<"christmas" | "newYear", string>>;
}

export type SaleKind = "invoice" | "ticket" | "order" | "bond";

export interface SaleItem {
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
