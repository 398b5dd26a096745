/** Purposes of ledger accounts to which documents and charges are posted. */
export const ACCOUNT_NAMES = ["customers", "sales", "taxes", "cash", "bank", "cards", "deposits"] as const;
export type AccountName = (typeof ACCOUNT_NAMES)[number];
export type Accounts = Readonly<Record<AccountName, string>>;

/** Account codes of the Spanish general chart of accounts (RD 1514/2007). */
const DEFAULTS: Accounts = {
  customers: "43000000",
  sales: "70500000",
  taxes: "47700000",
  cash: "57000000",
  bank: "57200000",
  cards: "57200001",
  deposits: "56000000",
};

/** Returns the accounts of a company: its own codes, otherwise the defaults. */
export function getAccounts(own: Readonly<Partial<Record<string, string>>>): Accounts {
  const entries = ACCOUNT_NAMES.map((name) => [name, own[name] || DEFAULTS[name]] as const);
  return Object.fromEntries(entries) as Record<AccountName, string>;
}

const BANK = ["bank_transfer", "check", "promissory_note"];

/** Returns the account that money of a payment method is booked on. */
export function getMoneyAccount(method: string): AccountName {
  if (method === "cash") return "cash";
  return BANK.includes(method) ? "bank" : "cards";
}
