import type { Printout } from "#domain/printing/printout.ts";

/** The printer is unavailable or failed. The operation can be retried. */
export class PrinterUnavailable extends Error {
  override readonly name = "PrinterUnavailable";
}

/** Prints with the Worker bound as PRINTER. Returns the PDF's bytes. */
export async function print(printer: Fetcher, printout: Printout): Promise<Uint8Array<ArrayBuffer>> {
  const requestInit = { method: "POST", body: JSON.stringify(printout) };
  const answer = await printer.fetch("https://printer/", requestInit).catch((cause: unknown) => {
    throw new PrinterUnavailable("the printer did not answer", { cause });
  });
  if (!answer.ok) throw new PrinterUnavailable(`the printer answered ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}
