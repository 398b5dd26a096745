import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { enableTaxRecords, makeTaxAgencyFail, readTaxAgencyRecords, sendTaxRecordsNow } from "#support/tax-agency.ts";
import { issueInvoice, readSuccessfulAnswer, readTaxRecord } from "#support/tax-records.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { simulateAuthority } from "#worker/development/authority-simulator.ts";
import { setAuthoritySimulator } from "#worker/tenancy/authorities.ts";
import { openTenant } from "#worker/tenancy/tenant.ts";
import { auditTaxRecordsNightly } from "#worker/usecases/tax-records/audit-records.ts";
import { sendTaxRecords } from "#worker/usecases/tax-records/send-records.ts";

interface PendingRecords {
  readonly data: readonly { readonly kind: string; readonly why: string; readonly link: string }[];
}

interface List {
  readonly unsent: number;
  readonly total: number;
  readonly chains: readonly { readonly problem: string | null; readonly next_at: string | null }[];
}

let boss = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await enableTaxRecords();
  boss = await createToken("boss");
});
afterEach(() => setAuthoritySimulator(simulateAuthority));

const attention = async (kind: string) =>
  (await readSuccessfulAnswer<PendingRecords>(callOffice("GET", "/attention", { token: boss }))).data.find(
    (item) => item.kind === kind,
  );

/** Changes records despite the triggers that prevent it. */
async function changeWithoutGuards(change: string): Promise<void> {
  const db = env.TENANT_ACME;
  const { results } = await db
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'tax_records'")
    .all<{ name: string; sql: string }>();
  await db.batch([
    ...results.map(({ name }) => db.prepare(`DROP TRIGGER ${name}`)),
    db.prepare(change),
    ...results.map(({ sql }) => db.prepare(sql)),
  ]);
}

test("warns a company before its first invoice about missing tax codes of rates and a wrong tax number", async () => {
  const listInvoicingChecks = async () => {
    const { data } = await readSuccessfulAnswer<{ data: readonly { code: string; keeps_from: string; why: string }[] }>(
      callOffice("POST", "/settings/dry-run", { token: boss }),
    );
    return data.flatMap(({ code, keeps_from, why }) => (keeps_from === "invoicing" ? [`${code}: ${why}`] : []));
  };
  const change = (statement: string) => env.TENANT_ACME.prepare(statement).run();
  const before = await listInvoicingChecks();
  expect(before.join()).not.toContain("no_rate_code");
  await change("UPDATE branches SET tax_territory = 'igic' WHERE code = 'AIR'");
  expect(await listInvoicingChecks()).toEqual(before);
  await change("UPDATE settings SET tax_records_igic = 'verifactu'");
  expect(await listInvoicingChecks()).toContainEqual(
    expect.stringMatching(/^no_rate_code: IGIC 10\.00, IGIC 21\.00: /),
  );
  await change(`UPDATE settings SET tax_rate_codes = '{"10.00":"S1","21.00":"S1"}'`);
  expect(await listInvoicingChecks()).toEqual(before);
  await change("UPDATE branches SET document_id = 'DE123456789' WHERE code = 'AIR'");
  expect(await listInvoicingChecks()).toContainEqual(
    "wrong_tax_number: 1 branches have a tax number that is no Spanish one",
  );
});

test("applies a changed tax-record system to documents issued immediately afterwards", async () => {
  const answerTo = (law: string) =>
    env.TENANT_ACME.prepare("UPDATE settings SET tax_records_iva = ?, series_pattern = ?")
      .bind(law, `${law === "none" ? "OLD" : "NEW"}-{kind}-{branch}-{yy}`)
      .run();
  await answerTo("none");
  await issueInvoice(boss, 7);
  await answerTo("verifactu");
  const { record } = await readTaxRecord(boss, await issueInvoice(boss, 8));
  expect(record["NumSerieFactura"]).toMatch(/^NEW-T-/);
});

describe("a company's tax records", () => {
  // Proves "security, privacy and operation": The night looks through the chain, and the office shows what it found
  test("adds a task after the nightly audit finds a broken chain, until it is intact again", async () => {
    await issueInvoice(boss, 7);
    expect(await auditTaxRecordsNightly(openTestTenant(env))).toBe(0);
    expect(await attention("tax_chain_broken")).toBeUndefined();
    await changeWithoutGuards("UPDATE tax_records SET hash = hash || '' , hashed = replace(hashed, '80.00', '90.00')");
    expect(await auditTaxRecordsNightly(openTestTenant(env))).toBe(2);
    expect(await attention("tax_chain_broken")).toMatchObject({
      why: expect.stringMatching(/^2 faults in the chain of tax records, the first at T-AIR-\d\d\/1: hash$/),
      link: "/api/v1/office/tax-records",
    });
    await changeWithoutGuards("UPDATE tax_records SET hashed = replace(hashed, '90.00', '80.00')");
    await auditTaxRecordsNightly(openTestTenant(env));
    expect(await attention("tax_chain_broken")).toBeUndefined();
  });

  // Proves "security, privacy and operation": Unsent records are sent on request
  test("sends blocked tax records immediately once a user fixes the cause", async () => {
    await issueInvoice(boss, 7);
    await makeTaxAgencyFail("down");
    await sendTaxRecordsNow();
    const list = () => readSuccessfulAnswer<List>(callOffice("GET", "/tax-records?state=waiting", { token: boss }));
    const before = await list();
    expect(before).toMatchObject({ unsent: 1, chains: [{ problem: expect.stringContaining("503") }] });
    expect(before.chains[0]?.next_at).not.toBeNull();
    const key = crypto.randomUUID();
    const retryAnswer = await readSuccessfulAnswer<List>(
      callOffice("POST", "/tax-records/retry", { token: boss, key }),
    );
    expect(retryAnswer).toMatchObject({ total: 1, chains: [{ next_at: null }] });
    // Repeating the same key has no further effect.
    await readSuccessfulAnswer(callOffice("POST", "/tax-records/retry", { token: boss, key }));
    await sendTaxRecords(openTestTenant(env), Date.now());
    expect(await list()).toMatchObject({ unsent: 0, total: 0 });
    expect(await readTaxAgencyRecords()).toHaveLength(1);
    const desk = await createToken("desk");
    expect((await callOffice("POST", "/tax-records/retry", { token: desk })).status).toBe(403);
    expect((await callOffice("GET", "/tax-records/check", { token: desk })).status).toBe(403);
  });

  // Proves "security, privacy and operation": Records go through the binding of the client certificate
  test("sends tax records by the client certificate binding, and waits if the binding is missing", async () => {
    const id = await issueInvoice(boss, 7);
    // As in a deployment: no simulator and no binding yet.
    setAuthoritySimulator(undefined);
    const producer = {
      PRODUCER_NAME: "Casa de Software, S.L.",
      PRODUCER_TAX_ID: "B12345674",
      PRODUCER_ADDRESS: "Calle del Ejemplo, 1, 07001 Palma, España",
      PRODUCER_PLACE: "Palma, España",
      PRODUCER_DATE: "2026-11-22",
    };
    const send = async (bindings: object) => {
      await env.TENANT_ACME.prepare("UPDATE tax_chains SET next_at = 0").run();
      return sendTaxRecords(
        openTenant({ ...env, ...bindings }, "acme", { binding: env.TENANT_ACME, jurisdiction: undefined }, Date.now()),
        Date.now(),
      );
    };
    const problem = async () =>
      (await readSuccessfulAnswer<List>(callOffice("GET", "/tax-records", { token: boss }))).chains[0]?.problem ?? null;
    await send({ PRODUCER_NAME: "Somebody" });
    expect(await problem()).toBe("producer_missing");
    await send(producer);
    expect(await problem()).toBe("certificate_missing");
    const retryAnswer: Request[] = [];
    const TAX_AGENCY = {
      fetch: async (request: Request) => {
        retryAnswer.push(request.clone());
        return simulateAuthority("tax_agency", request, env);
      },
    };
    expect(await send({ ...producer, TAX_AGENCY })).toBe(1);
    expect(await problem()).toBeNull();
    expect(retryAnswer.map(({ url }) => url)).toEqual([
      "https://prewww1.aeat.es/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP",
    ]);
    const sentXml = await retryAnswer[0]?.text();
    expect(sentXml).toContain("<si:NombreRazon>Casa de Software, S.L.</si:NombreRazon><si:NIF>B12345674</si:NIF>");
    expect((await readTaxRecord(boss, id)).state).toBe("accepted");
  });

  test("shows the software producer's declaration to the account's staff", async () => {
    const declared = await readSuccessfulAnswer<{
      points: readonly object[];
      annex: readonly object[];
      missing: readonly string[];
    }>(callOffice("GET", "/tax-records/declaration", { token: await createToken("desk") }));
    expect([declared.points.length, declared.annex.length, declared.missing]).toEqual([12, 3, []]);
    expect((await callOffice("GET", "/tax-records/declaration")).status).toBe(401);
  });
});
