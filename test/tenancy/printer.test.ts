import { expect, test } from "vitest";
import type { Printout } from "#domain/printing/printout.ts";
import { PrinterUnavailableError, printToPdf } from "#worker/tenancy/printer.ts";

const document = (title: string) => ({ title }) as Printout;

/** Printer that answers with the result of `answer`, and counts its calls. */
function createPrinter(answer: (request: RequestInit) => Promise<Response>) {
  let calls = 0;
  const fetch = (_: string, requestInit: RequestInit) => {
    calls += 1;
    return answer(requestInit);
  };
  return { printer: { fetch } as unknown as Fetcher, getCalls: () => calls };
}

// Proves "security.md": A6
test("doesn't print a failed document again for a minute, but prints others", async () => {
  let isBroken = true;
  const { printer, getCalls } = createPrinter(async () => new Response("pdf", { status: isBroken ? 500 : 200 }));
  const printAt = (now: number, title = "heavy") => printToPdf(printer, document(title), { now });
  await expect(printAt(0)).rejects.toThrow(PrinterUnavailableError);
  isBroken = false;
  await expect(printAt(59_999)).rejects.toThrow(PrinterUnavailableError);
  expect(getCalls()).toBe(1);
  expect((await printAt(59_999, "another")).length).toBe(3);
  expect((await printAt(60_000)).length).toBe(3);
});

// Proves "security.md": A7
test("aborts printing a document that takes longer than its time limit", async () => {
  const { printer } = createPrinter(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("aborted")));
      }),
  );
  await expect(printToPdf(printer, document("endless"), { now: 0, milliseconds: 5 })).rejects.toThrow(
    PrinterUnavailableError,
  );
});
