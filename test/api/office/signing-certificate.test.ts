import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { COMPANY_PKCS12, LEGACY_ENCRYPTION_PKCS12 } from "#support/pkcs12.ts";
import { COMPANY_CERTIFICATE, COMPANY_KEY, COMPANY_PEM } from "#support/signing-certificate.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

let boss = "";
const PATH = "/signing-certificate";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
  await env.TENANT_ACME.prepare("UPDATE branches SET document_id = 'B12345674'").run();
});

async function send(method: string, body?: unknown, token = boss, key?: string) {
  const response = await callOffice(method, PATH, { token, body, ...(key !== undefined && { key }) });
  return { status: response.status, body: await response.json<Readonly<Record<string, unknown>>>() };
}

const FILE = { content: COMPANY_PKCS12, password: "clave" };
const NONE = { status: 200, body: { certificate: null } };

// Proves "office.md: settings": GET, PUT, DELETE /signing-certificate: never the key
test("stores the certificate of a file once, shows holder and validity without the key, and deletes it", async () => {
  expect(await send("GET")).toEqual(NONE);
  const stored = await send("PUT", FILE, boss, "first");
  expect(stored).toMatchObject({
    status: 200,
    body: {
      certificate: {
        holder: expect.arrayContaining(["Coches del Sur SL"]),
        issuer: expect.stringContaining("Certificados de Prueba"),
        tax_ids: ["B12345674"],
        not_before: "2020-01-01T00:00:00.000Z",
        not_after: "2120-01-01T00:00:00.000Z",
      },
    },
  });
  expect(await send("PUT", FILE, boss, "first")).toEqual(stored);
  expect(await send("GET")).toEqual(stored);
  const storedCertificate = await env.TENANT_ACME.prepare(
    "SELECT sealed FROM account_secrets WHERE name = 'signing_certificate'",
  ).all();
  expect(storedCertificate.results).toHaveLength(1);
  expect(JSON.stringify([stored, storedCertificate.results])).not.toContain("PRIVATE");
  const events = await env.TENANT_ACME.prepare("SELECT detail FROM security_events WHERE kind = 'key_changed'").all();
  expect(JSON.stringify(events.results)).toContain("signing_certificate");
  expect(await send("PUT", { content: btoa(COMPANY_PEM) })).toMatchObject({ status: 200 });
  expect(await send("DELETE")).toEqual(NONE);
  expect(await send("GET")).toEqual(NONE);
});

test("reminds administrators of a certificate that expires within 30 days", async () => {
  const remind = async (token: string) => {
    const { data } = await (await callOffice("GET", "/attention", { token })).json<{
      data: readonly { kind: string }[];
    }>();
    return data.filter(({ kind }) => kind === "certificate_expiring");
  };
  expect((await send("PUT", FILE)).status).toBe(200);
  expect(await remind(boss)).toEqual([]);
  const soon = Date.now() + 29 * 86_400_000;
  await env.TENANT_ACME.prepare("UPDATE account_secrets SET expires_at = ?").bind(soon).run();
  const until = new Date(soon).toISOString().slice(0, 10);
  const link = "/api/v1/office/signing-certificate";
  expect(await remind(boss)).toMatchObject([{ params: { until }, link }]);
  expect(await remind(await createToken("desk"))).toEqual([]);
});

test.each([
  ["password", "certificate_password", { ...FILE, password: "Clave" }],
  ["content", "certificate_encryption", { ...FILE, content: LEGACY_ENCRYPTION_PKCS12 }],
  [
    ...(["content", "certificate_key_encrypted"] as const),
    { content: btoa(COMPANY_PEM.replaceAll("PRIVATE", "ENCRYPTED PRIVATE")) },
  ],
  ["content", "certificate_unreadable", { content: btoa("no certificate") }],
  ["content", "certificate_key", { content: btoa(COMPANY_CERTIFICATE) }],
  ["content", "certificate_unreadable", { content: btoa(COMPANY_KEY) }],
  ["content", undefined, { content: "A".repeat(200_000) }],
  ["content", undefined, { content: "not base64!" }],
])("rejects and doesn't store a certificate with a wrong %s: %s", async (field, code, body) => {
  const refused = await send("PUT", body);
  expect(refused).toMatchObject({ status: 400, body: { detail: [{ field, ...(code && { code }) }] } });
  expect(await send("GET")).toEqual(NONE);
});

test("rejects a certificate that names no branch, and all but administrators", async () => {
  await env.TENANT_ACME.prepare("UPDATE branches SET document_id = 'B58818501'").run();
  expect(await send("PUT", FILE)).toMatchObject({ status: 400, body: { detail: [{ code: "certificate_tax_id" }] } });
  const desk = await createToken("desk");
  for (const method of ["GET", "PUT", "DELETE"])
    expect((await send(method, method === "PUT" ? FILE : undefined, desk)).status).toBe(403);
});
