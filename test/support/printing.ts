import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Printout, PrintoutBlock } from "#domain/printing/printout.ts";
import worker from "#worker/entry/office.ts";

/** Returns the Worker's response with a custom printer. */
export function requestWithPrinter(printer: Fetcher, path: string, token?: string): Promise<Response> {
  const printRequest = new Request(`http://acme.localhost:8787${path}`, {
    headers: token ? { Authorization: token } : {},
  });
  return Promise.resolve(worker.fetch(printRequest, { ...env, PRINTER: printer }, createExecutionContext()));
}

/** Returns the printout that the Worker sends to the printer, before it's a PDF. */
export async function capturePrintout(path: string, token?: string): Promise<Printout> {
  // A printer that returns its input.
  const echo = { fetch: (_: string, init: RequestInit) => Promise.resolve(new Response(init.body as string)) };
  const answer = await requestWithPrinter(echo as Fetcher, path, token);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json<Printout>();
}

/** Returns all texts of a printout, one line per fact and row. */
export function getPrintoutText({ blocks, stamp }: Printout): string {
  return [stamp ?? "", ...blocks.map(getBlockText)].join("\n");
}

function getBlockText(block: PrintoutBlock): string {
  switch (block.kind) {
    case "title":
      return [block.text, ...block.facts.map(({ label, value }) => `${label} ${value}`)].join("\n");
    case "heading":
    case "paragraph":
      return block.text;
    case "parties":
      return block.parties.map(({ title, lines }) => [title, ...lines].join("\n")).join("\n");
    case "facts":
      return block.facts.map(({ label, value }) => `${label} ${value}`).join("\n");
    case "table":
      return block.rows.map((row) => row.join(" | ")).join("\n");
    case "sums":
      return block.sums.map(({ label, value }) => `${label} ${value}`).join("\n");
    case "vehicle":
      return block.legend.join("\n");
    case "signatures":
      return block.signatures.map(({ role, name, detail }) => `${role} ${name} ${detail}`).join("\n");
    case "record":
      return [block.above, block.below].join("\n");
    case "newPage":
      return "";
  }
}
