import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { getAsErp } from "#support/erp-client.ts";
import { enableTaxRecords } from "#support/tax-agency.ts";
import { issueInvoice, readTaxRecord } from "#support/tax-records.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
});

const readInvoice = async (id: number) =>
  (await getAsErp(`/api/v1/integration/invoice/${id}`)).json<Record<string, unknown>>();

// Proves "integration.md": tax_record, tax_reason_n and account_codes of an invoice
test("returns the hash and URL of an invoice's tax record, and its due date, to partners", async () => {
  await enableTaxRecords();
  const boss = await createToken("boss");
  const id = await issueInvoice(boss, 7);
  const { hash, qr_url } = await readTaxRecord(boss, id);
  const invoice = await readInvoice(id);
  expect(invoice).toMatchObject({ tax_record: { hash, qr_url }, tax_reason_1: null, due_date: invoice["date"] });
});

test("returns the reason of an untaxed rate, and the company's own account codes, to accounting partners", async () => {
  await env.TENANT_ACME.prepare(
    `UPDATE settings SET tax_rate_codes = '{"21.00":"S2"}', accounts = '{"sales":"8400"}'`,
  ).run();
  await openTestTenant(env).freshSnapshot();
  const invoice = await readInvoice(await issueInvoice(await createToken("boss"), 7));
  expect(invoice).toMatchObject({
    tax_reason_1: "S2",
    tax_reason_2: null,
    tax_record: null,
    account_codes: { customers: "43000000", sales: "8400", taxes: "47700000" },
  });
});
