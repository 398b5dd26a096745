/** Purposes of ledger accounts to which documents and charges are posted. */
export const LEDGER_ACCOUNT_NAMES = ["customers", "sales", "taxes", "cash", "bank", "cards", "deposits"] as const;
export type LedgerAccountName = (typeof LEDGER_ACCOUNT_NAMES)[number];
export type LedgerAccounts = Readonly<Record<LedgerAccountName, string>>;

/** Account codes of the Spanish general chart of accounts (RD 1514/2007). */
const DEFAULTS: LedgerAccounts = {
  customers: "43000000",
  sales: "70500000",
  taxes: "47700000",
  cash: "57000000",
  bank: "57200000",
  cards: "57200001",
  deposits: "56000000",
};

/** Returns the accounts of a company: its own codes, otherwise the defaults. */
export function getLedgerAccounts(own: Readonly<Partial<Record<string, string>>>): LedgerAccounts {
  const entries = LEDGER_ACCOUNT_NAMES.map((name) => [name, own[name] || DEFAULTS[name]] as const);
  return Object.fromEntries(entries) as Record<LedgerAccountName, string>;
}

const BANK = ["bank_transfer", "check", "promissory_note"];

/** Returns the account that money of a payment method is booked on. */
export function getLedgerMoneyAccount(method: string): LedgerAccountName {
  if (method === "cash") return "cash";
  return BANK.includes(method) ? "bank" : "cards";
}
