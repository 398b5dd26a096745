import { describe, expect, test } from "vitest";
import { createStatementPrintout, type PrintedStatementLine, sumDocumentAmounts } from "#domain/printing/statements.ts";
import { createPrintContext } from "#support/printouts.ts";

function createStatementLine(
  number: number,
  totalCents: number,
  changes: Partial<PrintedStatementLine> = {},
): PrintedStatementLine {
  return {
    ...{ date: "2026-07-03", dueDate: "2026-08-01", serie: "F26", number, concept: `Rental ${number}` },
    ...{ totalCents, paidCents: 0 },
    ...changes,
  };
}

const ROWS = [
  createStatementLine(1, 12_100, { paidCents: 2100 }),
  createStatementLine(2, 5000, { dueDate: "2026-08-02" }),
  createStatementLine(3, -1000, { dueDate: "2026-07-31", date: null }),
  createStatementLine(4, 250, { dueDate: null, serie: null, number: null } as Partial<PrintedStatementLine>),
];

describe("a customer's statement", () => {
  test("adds up a customer's amounts due, and the part of them that was due before today", () => {
    const sums = { totalCents: 16_350, paidCents: 2100, pendingCents: 14_250 };
    expect(sumDocumentAmounts(ROWS, "2026-08-02")).toEqual({ ...sums, overdueCents: 9000 });
    expect(sumDocumentAmounts(ROWS, "2026-08-01")).toEqual({ ...sums, overdueCents: -1000 });
    expect(sumDocumentAmounts(ROWS, "2026-08-03")).toEqual({ ...sums, overdueCents: 14_000 });
    expect(sumDocumentAmounts([], "2026-08-03")).toEqual({
      ...{ totalCents: 0, paidCents: 0, pendingCents: 0, overdueCents: 0 },
    });
  });

  test("shows each document of a customer's statement with its pending amount, and carries the sum over pages", () => {
    const customer = { name: "Ana Ruiz", taxId: "12345678Z", address: ["Calle Mayor 1"] };
    const printout = createStatementPrintout(
      { customer, rows: ROWS, today: "2026-08-02", at: 5 },
      createPrintContext(),
    );
    const table = printout.blocks.find((block) => block.kind === "table");
    expect(table?.rows).toEqual([
      ["F26/1", "Rental 1", "03/07/2026", "01/08/2026", "121,00", "100,00"],
      ["F26/2", "Rental 2", "03/07/2026", "02/08/2026", "50,00", "50,00"],
      ["F26/3", "Rental 3", "", "31/07/2026", "-10,00", "-10,00"],
      ["", "Rental 4", "03/07/2026", "", "2,50", "2,50"],
    ]);
    expect(table?.carried).toEqual(["100,00", "150,00", "140,00", "142,50"]);
    const sums = printout.blocks.find((block) => block.kind === "sums")?.sums.map(({ value }) => value);
    expect(sums).toEqual(["163,50\u00a0€", "21,00\u00a0€", "142,50\u00a0€", "90,00\u00a0€"]);
    expect([printout.at, printout.title]).toEqual([5, expect.stringContaining("Ana Ruiz")]);
  });
});
