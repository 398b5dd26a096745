import type { Printout } from "#domain/printing/printout.ts";

/** The printer is not there, or could not print: worth trying again. */
export class PrinterUnavailable extends Error {
  override readonly name = "PrinterUnavailable";
}

/** Prints by the Worker that the deployment binds as PRINTER: the bytes of a PDF. */
export async function print(printer: Fetcher, printout: Printout): Promise<Uint8Array<ArrayBuffer>> {
  const requestInit = { method: "POST", body: JSON.stringify(printout) };
  const answer = await printer.fetch("https://printer/", requestInit).catch((cause: unknown) => {
    throw new PrinterUnavailable("the printer did not answer", { cause });
  });
  if (!answer.ok) throw new PrinterUnavailable(`the printer answered ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}
