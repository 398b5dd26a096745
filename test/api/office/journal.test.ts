import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { issueInvoice } from "#support/tax-records.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
});

// Proves "office.md: the vehicles of a contract": journal: csv and datev, for administrators
test("exports the journal as CSV, for DATEV, A3 and ContaPlus, for administrators only", async () => {
  const token = await createToken("boss");
  await issueInvoice(token, 7);
  const year = getTodayAtCompany().slice(0, 4);
  const path = `/journal?date_from=${year}-01-01&date_to=${year}-12-31`;
  const csv = await callOffice("GET", path, { token });
  expect([csv.status, csv.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(csv.headers.get("content-disposition")).toContain(`journal-${year}-01-01-${year}-12-31.csv`);
  const text = await csv.text();
  expect(text).toContain("43000000,66.12,");
  const datev = await callOffice("GET", `${path}&format=datev&consultant=2002&client=7`, { token });
  expect(datev.headers.get("content-type")).toBe("text/csv; charset=windows-1252");
  expect(new TextDecoder("windows-1252").decode(await datev.arrayBuffer())).toMatch(
    new RegExp(`^"EXTF";700;21;"Buchungsstapel";13;${year}1231235959000;;"RE";;;2002;7;${year}0101;8;`),
  );
  expect(await (await callOffice("GET", path, { token })).text()).toBe(text);
  const a3 = await callOffice("GET", `${path}&format=a3&client=7`, { token });
  expect(a3.headers.get("content-disposition")).toContain("SUENLACE.DAT");
  expect(await a3.text()).toMatch(/^400007\d{8}043000000 {34}D/);
  const contaplus = await callOffice("GET", `${path}&format=contaplus`, { token });
  expect(contaplus.headers.get("content-disposition")).toContain("XDIARIO.TXT");
  expect((await contaplus.text()).split("\r\n")[0]?.length).toBe(297);
  const agent = await createToken("desk");
  expect((await callOffice("GET", path, { token: agent })).status).toBe(403);
});

test("rejects a DATEV export with a document number that its field would cut, and no other format", async () => {
  const token = await createToken("boss");
  await env.TENANT_ACME.prepare(
    `UPDATE settings SET series_pattern = '{kind}-{branch}-${"9".repeat(25)}-{year}'`,
  ).run();
  await openTestTenant(env).freshSnapshot();
  await issueInvoice(token, 7);
  const year = getTodayAtCompany().slice(0, 4);
  const read = (format: string) =>
    callOffice("GET", `/journal?date_from=${year}-01-01&date_to=${year}-12-31&format=${format}`, { token });
  const refused = await read("datev");
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { detail: [{ field: "serie", code: "too_long", params: { max: 36 } }] },
  ]);
  expect((await read("csv")).status).toBe(200);
});

test("rejects a journal export with a reversed period, or with days of two years for DATEV", async () => {
  const token = await createToken("boss");
  const readRefusal = async (query: string) => {
    const answer = await callOffice("GET", `/journal?${query}`, { token });
    return [answer.status, (await answer.json<{ detail: readonly { field: string }[] }>()).detail[0]?.field];
  };
  expect(await readRefusal("date_from=2026-05-02&date_to=2026-05-01")).toEqual([400, "date_to"]);
  expect(await readRefusal("date_from=2025-12-31&date_to=2026-01-01&format=datev")).toEqual([400, "date_to"]);
  expect(await readRefusal("date_from=2026-02-30")).toEqual([400, "date_from"]);
});
