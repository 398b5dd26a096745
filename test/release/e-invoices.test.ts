import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { writeDemoEInvoices } from "#support/demo-e-invoices.ts";

const run = promisify(execFile);
const SYNTAX = { ubl: "ubl", xrechnung: "ubl", cii: "cii", facturae: "facturae" } as const;

/** Command that checks an electronic invoice: `<command> ubl|cii|facturae <file>`, with exit code 0 if it's valid. */
const validator = process.env["EINVOICE_VALIDATOR"];

test("passes electronic invoices of every kind to an external validator, if there is one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "e-invoices-"));
  const eInvoices = await writeDemoEInvoices("acme", { perKind: 1 });
  const refused: string[] = [];
  for (const { id, format, xml } of eInvoices) {
    if (xml === undefined || validator === undefined) continue;
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
