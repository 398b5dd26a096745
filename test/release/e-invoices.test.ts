import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { toEInvoice } from "#domain/e-invoices/e-invoice.ts";
import { listMissingFormatFields } from "#domain/e-invoices/missing-fields.ts";
import { writeDemoEInvoices } from "#support/demo-e-invoices.ts";
import { E_INVOICE_DOCUMENTS_BY_KIND } from "#support/e-invoices.ts";
import { writeEInvoice } from "#worker/authorities/e-invoices/write.ts";

const run = promisify(execFile);
const SYNTAX = { ubl: "ubl", xrechnung: "ubl", cii: "cii", facturae: "facturae" } as const;

/** Command that checks an electronic invoice: `<command> ubl|cii|facturae <file>`, with exit code 0 if it's valid. */
const validator = process.env["EINVOICE_VALIDATOR"];

interface WrittenEInvoice {
  readonly id: number | string;
  readonly format: keyof typeof SYNTAX;
  readonly xml: string | undefined;
}

/** Writes unusual documents, which the demo doesn't have, in every format that can contain them. */
function writeUnusualEInvoices(): readonly WrittenEInvoice[] {
  return Object.entries(E_INVOICE_DOCUMENTS_BY_KIND).flatMap(([kind, document], index) =>
    (Object.keys(SYNTAX) as (keyof typeof SYNTAX)[]).flatMap((format): WrittenEInvoice[] => {
      const invoice = toEInvoice(document);
      const isComplete = listMissingFormatFields(format, invoice).length === 0;
      return isComplete ? [{ id: `${index} ${kind}`, format, xml: writeEInvoice(format, invoice) }] : [];
    }),
  );
}

test("passes electronic invoices of every kind to an external validator", async ({ skip }) => {
  if (validator === undefined) return skip("EINVOICE_VALIDATOR names no validator");
  const folder = await mkdtemp(join(tmpdir(), "e-invoices-"));
  const eInvoices = [...(await writeDemoEInvoices("acme", { perKind: 1 })), ...writeUnusualEInvoices()];
  const refused: string[] = [];
  for (const { id, format, xml } of eInvoices) {
    if (xml === undefined) continue;
    const file = join(folder, `${id}.${format}.xml`);
    await writeFile(file, xml);
    await run(validator, [SYNTAX[format], file]).catch((error: Error) =>
      refused.push(`${id} ${format}: ${error.message}`),
    );
  }
  await rm(folder, { recursive: true });
  expect(eInvoices.length).toBeGreaterThan(40);
  expect(refused).toEqual([]);
}, 3_600_000);
