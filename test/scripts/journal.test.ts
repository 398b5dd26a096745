import { expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import { getLedgerAccounts, getLedgerMoneyAccount } from "#domain/reporting/accounts.ts";
import type { JournalFormat } from "#domain/reporting/journal.ts";
import { auditBooks, type ExtractedMoneyData } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { createAccountingJournal } from "#scripts/data/journal.ts";
import { openCopiedDemo } from "#support/demo-data.ts";
import { chooseForGate } from "#support/gate-sample.ts";

const accounts = getLedgerAccounts({});
const companies = { acme: [1, 2], globex: [1] } as const;
const timezones = { acme: "Europe/Madrid", globex: "America/New_York" } as const;

/** Balance by account, in cents: debit less credit. */
type Ledger = Readonly<Record<string, number>>;

function add(ledger: Record<string, number>, account: string, cents: number): void {
  ledger[account] = (ledger[account] ?? 0) + cents;
}

const cents = (text: string | null | undefined) => Math.round(Number((text ?? "0").replace(",", ".")) * 100);

function readCsv(text: string): Ledger {
  const ledger: Record<string, number> = {};
  for (const line of text.trim().split("\r\n").slice(1)) {
    const [, , account = "", debit, credit] = line.split(",");
    add(ledger, account, cents(debit) - cents(credit));
  }
  return ledger;
}

function readDatev(text: string): Ledger {
  const ledger: Record<string, number> = {};
  for (const line of text.trim().split("\r\n").slice(2)) {
    const [amount, , , , , , debit = "", credit = ""] = line.split(";");
    add(ledger, debit, cents(amount));
    add(ledger, credit, -cents(amount));
  }
  return ledger;
}

function readA3(text: string): Ledger {
  const ledger: Record<string, number> = {};
  for (const line of text.trimEnd().split("\r\n")) {
    const sign = line[57] === "D" ? 1 : -1;
    add(ledger, line.slice(15, 27).trim(), sign * cents(line.slice(99, 113)));
  }
  return ledger;
}

function readContaplus(text: string): Ledger {
  const ledger: Record<string, number> = {};
  for (const line of text.trimEnd().split("\r\n"))
    add(ledger, line.slice(14, 26).trim(), cents(line.slice(238, 254)) - cents(line.slice(254, 270)));
  return ledger;
}

/** Ledger of the books: documents that count, money and held deposits. */
function readBooks({ documents, charges }: ExtractedMoneyData): Ledger {
  const ledger: Record<string, number> = {};
  const counted = documents.filter(
    (document) =>
      document.object === "invoice" &&
      document.invoice_status === "invoice" &&
      document.replaced_by_invoice_id === null,
  );
  for (const document of counted) {
    add(ledger, accounts.customers, cents(document.total));
    add(ledger, accounts.sales, -cents(document.subtotal));
    add(ledger, accounts.taxes, -cents(document.total_taxes));
  }
  for (const charge of charges) addCharge(ledger, charge);
  return ledger;
}

function addCharge(ledger: Record<string, number>, charge: ExtractedMoneyData["charges"][number]): void {
  const { amount, payment_type: type, payment_method_id: method, virtual, deposit_kept: isKept } = charge;
  if (virtual && isKept) return;
  const signedCents = type === "charge" ? cents(amount) : -cents(amount);
  add(ledger, accounts[isKept ? "deposits" : getLedgerMoneyAccount(method)], signedCents);
  add(ledger, accounts[virtual ? "deposits" : "customers"], -signedCents);
}

const addLedgers = (ledgers: readonly Ledger[]): Ledger => {
  const all: Record<string, number> = {};
  for (const ledger of ledgers) for (const [account, balance] of Object.entries(ledger)) add(all, account, balance);
  return all;
};

const request = (format: JournalFormat, dateFrom: string, dateTo: string) => ({
  ...{ format, dateFrom: dateFrom as CivilDate, dateTo: dateTo as CivilDate },
  ...{ consultant: 1001, client: 1 },
});

const writeJournals = (db: D1Database, account: keyof typeof companies, period: ReturnType<typeof request>) =>
  Promise.all(companies[account].map((companyId) => createAccountingJournal(db, { ...period, companyId })));

// Proves "office.md: the vehicles of a contract": journal: a ledger rebuilt from each export equals the books, with
//   the same bytes each time
test.each(chooseForGate(["globex", "acme"] as const, 1))(
  "exports a balanced journal of %s that equals the account's accounting, with identical bytes each time",
  async (account) => {
    const { db } = await openCopiedDemo(account);
    const extracted = await extractLocalMoneyData(db, { decimals: 2, timezone: timezones[account] });
    expect(auditBooks(extracted).differences).toEqual([]);
    const books = readBooks(extracted);
    const write = () => writeJournals(db, account, request("csv", "2020-01-01", "2030-12-31"));
    const csv = await write();
    expect(addLedgers(csv.map((file) => readCsv(new TextDecoder().decode(file))))).toEqual(books);
    expect(Object.values(books).reduce((sum, balance) => sum + balance, 0)).toBe(0);
    expect(await write()).toEqual(csv);
    const years = ["2024", "2025", "2026", "2027"];
    const files = (
      await Promise.all(
        years.map((year) => writeJournals(db, account, request("datev", `${year}-01-01`, `${year}-12-31`))),
      )
    ).flat();
    const windows = new TextDecoder("windows-1252");
    expect(addLedgers(files.map((file) => readDatev(windows.decode(file))))).toEqual(books);
  },
);

// Proves "office.md: the vehicles of a contract": journal: files for A3 and ContaPlus give the same ledger
test("exports files for A3 and ContaPlus that equal the account's accounting", async () => {
  const { db } = await openCopiedDemo("acme");
  const write = async (format: JournalFormat) => {
    const files = await writeJournals(db, "acme", request(format, "2020-01-01", "2030-12-31"));
    return files.map((file) => new TextDecoder("ascii").decode(file)).join("");
  };
  const books = readBooks(await extractLocalMoneyData(db, { decimals: 2, timezone: timezones.acme }));
  expect(readA3(await write("a3"))).toEqual(books);
  expect(readContaplus(await write("contaplus"))).toEqual(books);
});

test("exports the same bytes of a period after its money got other documents and its customers other names", async () => {
  const { db } = await openCopiedDemo("globex");
  const write = () => createAccountingJournal(db, request("csv", "2020-01-01", "2030-12-31"));
  const before = await write();
  const last = "SELECT max(id) FROM documents WHERE invoice_status = 'invoice'";
  await db.batch([
    db.prepare(
      `UPDATE charges SET document_id = (${last}) WHERE booking_id = (SELECT booking_id FROM documents WHERE id = (${last}))`,
    ),
    db.prepare("UPDATE bookings SET customer_name = 'Renamed'"),
  ]);
  expect(await write()).toEqual(before);
});

test("exports one company's journal per file, which must be named if there are several", async () => {
  const { db } = await openCopiedDemo("acme");
  const period = request("csv", "2020-01-01", "2030-12-31");
  await expect(createAccountingJournal(db, period)).rejects.toThrow(/^company_id: choice 1, 2/);
  await expect(createAccountingJournal(db, { ...period, companyId: 3 })).rejects.toThrow(/^company_id: choice 1, 2/);
  const write = async (companyId: number) =>
    new TextDecoder().decode(await createAccountingJournal(db, { ...period, companyId }));
  const { results } = await db
    .prepare("SELECT DISTINCT company_id, serie FROM documents WHERE kind = 'invoice' AND invoice_status = 'invoice'")
    .all<{ company_id: number; serie: string }>();
  for (const company of [1, 2]) {
    const text = await write(company);
    const isIn = ({ serie }: { serie: string }) => text.includes(`,${serie}/`);
    expect(results.filter(isIn)).toEqual(results.filter(({ company_id }) => company_id === company));
  }
});

test.each(["a3", "contaplus"] as const)("exports no %s file of an account with another currency", async (format) => {
  const { db } = await openCopiedDemo("globex");
  const written = createAccountingJournal(db, request(format, "2020-01-01", "2030-12-31"));
  await expect(written).rejects.toThrow(/^format: choice csv/);
});

test("allows only days of one year in a DATEV file", async () => {
  const { db } = await openCopiedDemo("globex");
  await expect(createAccountingJournal(db, request("datev", "2025-12-01", "2026-01-31"))).rejects.toThrow(/^date_to/);
});
