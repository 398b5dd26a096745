import { describe, expect, test } from "vitest";
import { A3_FIELDS, toA3JournalFile } from "#domain/reporting/a3.ts";
import { getLedgerAccounts } from "#domain/reporting/accounts.ts";
import { CONTAPLUS_FIELDS, toContaplusJournalFile } from "#domain/reporting/contaplus.ts";
import {
  DATEV_COLUMNS,
  fitsDatevDocumentField,
  getDatevAccountLength,
  toDatevJournalFile,
} from "#domain/reporting/datev.ts";
import {
  type JournalCharge,
  type JournalDocument,
  type Posting,
  toJournalCsv,
  toPostings,
} from "#domain/reporting/journal.ts";

const accounts = getLedgerAccounts({});
const RATE = { vat: 2100, subtotalCents: 10_000, taxesCents: 2_100 };

const createDocument = (changes: Partial<JournalDocument> = {}): JournalDocument => ({
  ...{ date: "2026-05-07", serie: "A-PMI-26", number: 7, customerName: "Müller & Söhne", rates: [RATE], replaces: [] },
  ...changes,
});

const createCharge = (changes: Partial<JournalCharge> = {}): JournalCharge => ({
  ...{ id: 3, date: "2026-05-07", method: "cash", type: "charge", isVirtual: false, depositKept: false },
  ...{ amountCents: 12_100, bookingId: 12 },
  ...changes,
});

const post = (documents: readonly JournalDocument[], charges: readonly JournalCharge[] = []) =>
  toPostings({ documents, charges }, accounts).map(({ debit, credit, cents }) => [debit, credit, cents]);

describe("postings", () => {
  test("posts an invoice to the customer's accounting account, with sales and tax separately", () => {
    expect(post([createDocument()])).toEqual([
      [accounts.customers, accounts.sales, 10_000],
      [accounts.customers, accounts.taxes, 2_100],
    ]);
  });

  test("posts a negative tax of a credit note with swapped accounts, and omits zero amounts", () => {
    const rates = [{ vat: 2100, subtotalCents: 0, taxesCents: -2_100 }];
    expect(post([createDocument({ rates })])).toEqual([[accounts.taxes, accounts.customers, 2_100]]);
  });

  test("reverses simplified invoices on the day of the full invoice that replaces them", () => {
    const replaces = [{ serie: "T-PMI-26", number: 2, rates: [RATE] }];
    const postings = toPostings({ documents: [createDocument({ replaces })], charges: [] }, accounts);
    expect(postings.map(({ document, debit, date }) => [document, debit, date])).toEqual([
      ["T-PMI-26/2", accounts.sales, "2026-05-07"],
      ["T-PMI-26/2", accounts.taxes, "2026-05-07"],
      ["A-PMI-26/7", accounts.customers, "2026-05-07"],
      ["A-PMI-26/7", accounts.customers, "2026-05-07"],
    ]);
  });

  test.each<[string, Partial<JournalCharge>, readonly unknown[]]>([
    ["a payment", {}, [[accounts.cash, accounts.customers, 12_100]]],
    ["a refund", { type: "payment" }, [[accounts.customers, accounts.cash, 12_100]]],
    ["a deposit", { isVirtual: true, method: "credit_card" }, [[accounts.cards, accounts.deposits, 12_100]]],
    ["a returned deposit", { isVirtual: true, type: "payment" }, [[accounts.deposits, accounts.cash, 12_100]]],
    ["a retained deposit", { depositKept: true }, [[accounts.deposits, accounts.customers, 12_100]]],
    ["the movement of a retained deposit", { depositKept: true, isVirtual: true, type: "payment" }, []],
  ])("posts %s to its accounts in the journal", (_, changes, expected) => {
    expect(post([], [createCharge(changes)])).toEqual(expected);
  });
});

test("names money by its own number, its contract and method", () => {
  const charges = [createCharge(), createCharge({ id: 4, bookingId: null, method: "transfer" })];
  const postings = toPostings({ documents: [], charges }, accounts);
  expect(postings.map(({ document, text }) => [document, text])).toEqual([
    ["C-3", "R-12 cash"],
    ["C-4", "transfer"],
  ]);
});

test("writes two balanced lines for each posting in the general journal", () => {
  const csv = toJournalCsv(toPostings({ documents: [createDocument()], charges: [createCharge()] }, accounts), 2);
  const lines = csv.trim().split("\r\n");
  expect(lines[1]).toBe("1,2026-05-07,43000000,100.00,,21.00,A-PMI-26/7,Müller & Söhne");
  const sum = (column: number) => lines.slice(1).reduce((all, line) => all + Number(line.split(",")[column] || 0), 0);
  expect(sum(3)).toBe(242);
  expect(sum(4)).toBe(242);
});

describe("a DATEV file", () => {
  const options = {
    period: { from: "2026-05-01", to: "2026-05-31" },
    client: { consultant: 1001, client: 1 },
    currency: "EUR",
    accountLength: 8,
  };
  const write = (documents = [createDocument()]) =>
    toDatevJournalFile(toPostings({ documents, charges: [] }, accounts), options);
  const lines = new TextDecoder("windows-1252").decode(write()).split("\r\n");

  test("writes a DATEV header of 31 fields for format 700, category 21", () => {
    const header = lines[0]?.split(";") ?? [];
    expect(header.length).toBe(31);
    expect(header.slice(0, 6)).toEqual(['"EXTF"', "700", "21", '"Buchungsstapel"', "13", "20260531235959000"]);
    expect(header.slice(10, 16)).toEqual(["1001", "1", "20260101", "8", "20260501", "20260531"]);
  });

  test.each([
    ["equal accounts", {}, 8],
    ["customers with one digit more", { customers: "10000" }, 4],
    ["customers with two digits more", { customers: "100000" }, undefined],
    ["customers with fewer digits", { customers: "1000", length: 5 }, undefined],
    ["general accounts of different lengths", { customers: "10000", sales: "84000" }, undefined],
    ["general accounts of nine digits", { customers: "430000000", length: 9 }, undefined],
  ])(
    "returns the length of DATEV's general accounts for %s",
    (_, { length = 4, ...changes }: Record<string, unknown>, expected) => {
      const general = Object.fromEntries(Object.keys(accounts).map((name) => [name, "1".repeat(Number(length))]));
      const changed = expected === 8 ? accounts : { ...accounts, ...general, ...changes };
      expect(getDatevAccountLength(changed)).toBe(expected);
    },
  );

  test("writes 125 columns in every line of a DATEV file", () => {
    expect(DATEV_COLUMNS.length).toBe(125);
    expect(lines[1]?.split(";")).toEqual(DATEV_COLUMNS);
    expect(lines[2]?.split(";").length).toBe(125);
  });

  test("writes amounts with a comma, accounts, day, number and customer name in a DATEV line", () => {
    const fields = lines[2]?.split(";") ?? [];
    expect(fields.slice(0, 3)).toEqual(["100,00", '"S"', '"EUR"']);
    expect(fields.slice(6, 8)).toEqual(["43000000", "70500000"]);
    expect([fields[9], fields[10], fields[13]]).toEqual(["0705", '"A-PMI-26/7"', '"Müller & Söhne"']);
  });

  test("encodes a DATEV file in Windows-1252, with a question mark for other letters", () => {
    const bytes = write([createDocument({ customerName: '€ Ž 東 ü "x"' })]);
    const text = new TextDecoder("windows-1252").decode(bytes);
    expect(text).toContain('"€ Ž ? ü ""x"""');
    expect(bytes).not.toEqual(new TextEncoder().encode(text));
  });

  // Proves "security.md": A16
  test.each([
    "=HYPERLINK(1)",
    "+HYPERLINK(1)",
    "-@=HYPERLINK(1)",
    "\t=HYPERLINK(1)",
    "\tHYPERLINK(1)",
    "''=HYPERLINK(1)",
  ])("writes the name %j into a DATEV file without the signs of a formula", (name) => {
    const posting = {
      ...toPostings({ documents: [createDocument({ customerName: name })], charges: [] }, accounts)[0],
    };
    const bytes = toDatevJournalFile([{ ...posting, document: name } as Posting], options);
    const fields = new TextDecoder("windows-1252").decode(bytes).split("\r\n")[2]?.split(";") ?? [];
    expect([fields[10], fields[13]]).toEqual(['"HYPERLINK1"', '"HYPERLINK(1)"']);
  });

  describe("texts that DATEV's fields can't contain", () => {
    const NOTES = DATEV_COLUMNS.indexOf("Zusatzinformation - Art 1");
    const writeFields = (changes: Partial<JournalDocument>) => {
      const text = new TextDecoder("windows-1252").decode(write([createDocument(changes)]));
      const fields = text.split("\r\n")[2]?.split(";") ?? [];
      expect(fields.length).toBe(125);
      return { number: fields[10], text: fields[13], notes: fields.slice(NOTES, NOTES + 5) };
    };

    test("cuts a customer name at 60 characters in a DATEV file, and adds the full name as additional information", () => {
      const customerName = `${"Müller & Söhne ".repeat(5)}GmbH`;
      expect(writeFields({ customerName })).toEqual({
        number: '"A-PMI-26/7"',
        text: `"${customerName.slice(0, 60)}"`,
        notes: ['"Buchungstext"', `"${customerName}"`, "", "", ""],
      });
      expect(writeFields({ customerName: "M".repeat(60) }).notes).toEqual(["", "", "", "", ""]);
    });

    test("adds the full document number to a DATEV file if DATEV's field can't contain all its characters", () => {
      const customerName = "M".repeat(61);
      expect(writeFields({ serie: "A.PMI 26", customerName })).toMatchObject({
        number: '"APMI26/7"',
        notes: ['"Belegnummer"', '"A.PMI 26/7"', '"Buchungstext"', `"${customerName}"`, ""],
      });
    });

    test("writes document numbers up to 36 characters in full to a DATEV file, and detects longer ones", () => {
      const serie = `A-${"9".repeat(32)}`;
      expect(writeFields({ serie }).number).toBe(`"${serie}/7"`);
      expect([fitsDatevDocumentField(`${serie}/7`), fitsDatevDocumentField(`${serie}/77`)]).toEqual([true, false]);
    });
  });

  test("creates identical DATEV bytes for the same postings", () => {
    expect(write()).toEqual(write());
  });
});

const LONG_NAME = { customerName: "Núñez & Söhne 東 S.A. with a name of more than thirty letters" };
const decodeLines = (bytes: Uint8Array) => new TextDecoder("ascii").decode(bytes).split("\r\n").slice(0, -1);

describe("a file for A3", () => {
  const lines = decodeLines(
    toA3JournalFile(toPostings({ documents: [createDocument(LONG_NAME)], charges: [createCharge()] }, accounts), 7),
  );

  test("writes A3 records of 254 ASCII characters with company, day, account, side and amount at their columns", () => {
    expect(A3_FIELDS.reduce((sum, { width }) => sum + width, 0)).toBe(254);
    expect(lines.map((line) => line.length)).toEqual(lines.map(() => 254));
    const [first = ""] = lines;
    expect([first.slice(0, 15), first.slice(15, 27), first.slice(57, 69)]).toEqual([
      "400007202605070",
      "43000000    ",
      "DA-PMI-26/7I",
    ]);
    expect(first.slice(69, 113)).toBe("Nunez & Sohne ? S.A. with a na+0000000100.00");
    expect(first.slice(251)).toBe(" EN");
  });

  test("keeps the last characters of a document number that is too long for its columns in an A3 file", () => {
    const [line = ""] = decodeLines(
      toA3JournalFile(toPostings({ documents: [createDocument({ number: 12_345 })], charges: [] }, accounts), 7),
    );
    expect(line.slice(58, 68)).toBe("PMI2612345");
  });

  test("marks the first, middle and last line of each entry in an A3 file", () => {
    expect(lines.map((line) => `${line[57]}${line[68]}`)).toEqual(["DI", "HM", "DM", "HU", "DI", "HU"]);
  });
});

describe("a file for ContaPlus", () => {
  const lines = decodeLines(
    toContaplusJournalFile(toPostings({ documents: [createDocument(LONG_NAME)], charges: [] }, accounts)),
  );
  const read = (line = "", name: string) => {
    const at = CONTAPLUS_FIELDS.findIndex((field) => field.name === name);
    const start = CONTAPLUS_FIELDS.slice(0, at).reduce((sum, { width }) => sum + width, 0);
    return line.slice(start, start + (CONTAPLUS_FIELDS[at]?.width ?? 0));
  };

  test("writes ContaPlus records of 297 ASCII characters with entry, day, accounts and euros", () => {
    expect(lines.map((line) => line.length)).toEqual([297, 297, 297, 297]);
    const names = ["ASIEN", "FECHA", "SUBCTA", "CONTRA", "CONCEPTO", "DOCUMENTO", "MONEDAUSO"];
    expect(names.map((name) => read(lines[0], name))).toEqual([
      ...["     1", "20260507", "43000000    ", "70500000    ", "A-PMI-26/7 Nunez & Sohne ", "A-PMI-26/7", "2"],
    ]);
    expect([read(lines[0], "EURODEBE"), read(lines[0], "EUROHABER")]).toEqual(["          100.00", "            0.00"]);
    expect([read(lines[1], "SUBCTA"), read(lines[1], "EUROHABER")]).toEqual(["70500000    ", "          100.00"]);
  });

  test("rejects more entries than a ContaPlus file can number", () => {
    const [posting] = toPostings({ documents: [createDocument()], charges: [] }, accounts);
    expect(() => toContaplusJournalFile([{ ...posting, entry: 1_000_000 } as Posting])).toThrow("999999");
  });
});
