import { describe, expect, test } from "vitest";
import { writeDemoEInvoices } from "#support/demo-e-invoices.ts";
import { listBrokenAmountRules } from "#support/e-invoice-amounts.ts";
import { parseAuthorityXml } from "#worker/authorities/xml.ts";

describe.each(["acme", "globex"] as const)("electronic invoices of every kind of document of %s", (account) => {
  // Proves "office.md: the vehicles of a contract": electronic invoices of the demo: the arithmetic rules of EN 16931
  test("creates electronic invoices with correct sums, or lists what a format lacks", async () => {
    const demoInvoices = await writeDemoEInvoices(account, { perKind: 2 });
    const invoices = demoInvoices.flatMap(({ xml, id, format }) => (xml === undefined ? [] : [{ id, format, xml }]));
    const faults = invoices.flatMap(({ id, format, xml }) =>
      listBrokenAmountRules(parseAuthorityXml(xml)).map((rule) => `${id} ${format} ${rule}`),
    );
    expect(faults).toEqual([]);
    expect(invoices.length).toBeGreaterThan(20);
    for (const { missing } of demoInvoices.filter(({ xml }) => xml === undefined)) expect(missing).not.toEqual([]);
  });
});
