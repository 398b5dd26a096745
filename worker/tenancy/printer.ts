import type { Printout } from "#domain/printing/printout.ts";

/** The printer is unavailable or failed. The operation can be retried. */
export class PrinterUnavailableError extends Error {
  override readonly name = "PrinterUnavailable";
}

/** Time limit to print a document. A long contract takes 250 ms. */
const MAX_PRINT_MS = 20_000;
const REMEMBER_MS = 60_000;
const MAX_REMEMBERED = 1_000;

/**
 * Until when (epoch ms) a printout isn't printed again, by the hash of its content. A printout that ends the printer
 * must not do so at every request of its link.
 */
const failures = new WeakMap<Fetcher, Map<string, number>>();

function getFailures(printer: Fetcher): Map<string, number> {
  const known = failures.get(printer);
  if (known && known.size < MAX_REMEMBERED) return known;
  const failedUntil = new Map<string, number>();
  failures.set(printer, failedUntil);
  return failedUntil;
}

/** Time of the request, and the printer's time limit in ms. */
export interface PrintLimits {
  readonly now: number;
  readonly milliseconds?: number;
}

/**
 * Prints with the Worker bound as PRINTER. Returns the PDF's bytes. A failed printout is refused for a minute, and
 * one that takes too long isn't waited for.
 */
export async function printToPdf(
  printer: Fetcher,
  printout: Printout,
  { now, milliseconds = MAX_PRINT_MS }: PrintLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = JSON.stringify(printout);
  const document = await hash(body);
  const failedUntil = getFailures(printer);
  if ((failedUntil.get(document) ?? 0) > now)
    throw new PrinterUnavailableError("the paper failed less than a minute ago");
  try {
    return await ask(printer, body, milliseconds);
  } catch (error) {
    failedUntil.set(document, now + REMEMBER_MS);
    throw error;
  }
}

async function ask(printer: Fetcher, body: string, milliseconds: number): Promise<Uint8Array<ArrayBuffer>> {
  const requestInit = { method: "POST", body, signal: AbortSignal.timeout(milliseconds) };
  try {
    const answer = await printer.fetch("https://printer/", requestInit);
    if (!answer.ok) throw new PrinterUnavailableError(`the printer answered ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  } catch (cause) {
    throw cause instanceof PrinterUnavailableError
      ? cause
      : new PrinterUnavailableError("the printer did not answer", { cause });
  }
}

async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
