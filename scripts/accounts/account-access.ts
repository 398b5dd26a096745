import { randomBytes } from "node:crypto";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import { isCertificateValidForTaxId, openSigner, type SignerProblem } from "#worker/authorities/e-invoices/signer.ts";
import { paymentGateways } from "#worker/store/schema/payments.ts";

interface EngineKeyTerms {
  readonly account: string;
  readonly label: string;
  /** Websites that may use the key from the browser, such as https://www.example.com. */
  readonly origins: readonly string[];
  readonly salesChannel: string | undefined;
  readonly now: number;
}

/** Creates a booking engine key of a website. It's public, so it can be shown at any time. */
export async function addEngineKey(db: D1Database, terms: EngineKeyTerms): Promise<string> {
  const { account, label, origins, salesChannel, now } = terms;
  const bad = origins.find((origin) => !/^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(origin));
  if (bad !== undefined) throw new Error(`--origins: ${bad} isn't a website origin. Example: https://www.example.com`);
  if (salesChannel !== undefined) await requireExistingCode(db, "sales_channels", salesChannel, "--channel");
  const apiKey = `${account}-web-${randomBytes(6).toString("hex")}`;
  await db
    .prepare(`INSERT INTO engine_keys (api_key, name, allowed_origins, sales_channel_code, created_at)
      VALUES (?1, ?2, ?3, ?4, ?5)`)
    .bind(apiKey, label, JSON.stringify(origins), salesChannel ?? null, now)
    .run();
  return apiKey;
}

interface GatewayTerms {
  readonly account: string;
  readonly masterKey: string;
  readonly method: string;
  readonly environment: string;
  /** Merchant data as JSON, in the format of the office. */
  readonly merchant: string;
  /** From the variable GATEWAY_SECRET, to keep it out of process lists. Not used by wallet_standard. */
  readonly secret: string | undefined;
  readonly now: number;
}

/** Validates gateway terms. Each error names its option. */
export function* findGatewayProblems({ method, environment, merchant, secret }: GatewayTerms): Generator<string> {
  const methods: readonly string[] = paymentGateways.method.enumValues;
  const environments: readonly string[] = paymentGateways.environment.enumValues;
  if (!methods.includes(method)) yield `--method must be one of ${methods.join(", ")}`;
  if (!environments.includes(environment)) yield `--environment must be one of ${environments.join(", ")}`;
  if (!isObject(merchant)) yield `--merchant must be an object of JSON, '{"merchantCode":"999008881","terminal":"1"}'`;
  if (merchant.includes("://")) yield "--merchant has no addresses: they are the platform's own";
  const isKeyless = method === "wallet_standard";
  if (!isKeyless && !secret) yield "the variable GATEWAY_SECRET must hold the gateway's key";
  if (isKeyless && secret) yield "wallet_standard has no key: leave the variable GATEWAY_SECRET out";
}

/** Adds or changes a gateway. Notifications signed with the previous key remain valid. */
export async function setGateway(db: D1Database, terms: GatewayTerms): Promise<void> {
  const { account, masterKey, method, environment, merchant, secret, now } = terms;
  const sealed = secret === undefined ? null : await encryptSecret(masterKey, account, secret);
  await db
    .prepare(`INSERT INTO payment_gateways (method, environment, merchant, secret_sealed, created_at, last_update)
      VALUES (?1, ?2, ?3, ?4, ?5, ?5)
      ON CONFLICT (method) DO UPDATE SET environment = excluded.environment, merchant = excluded.merchant,
        previous_secret_sealed = secret_sealed, secret_sealed = excluded.secret_sealed, last_update = excluded.last_update`)
    .bind(method, environment, merchant, sealed, now)
    .run();
}

interface CertificateTerms {
  readonly account: string;
  readonly masterKey: string;
  /** Certificate and unencrypted RSA key. */
  readonly pem: string;
  readonly now: number;
}

const CERTIFICATE_PROBLEMS: Readonly<Record<SignerProblem, string>> = {
  no_certificate: "--file has no certificate (PEM)",
  no_key: "--file has no private key (PEM, PKCS #8)",
  key_encrypted:
    "--file: the private key has a password. Remove it: openssl pkcs12 -in company.p12 -nodes -out company.pem",
  key_not_rsa: "--file: the private key must be an RSA key",
  key_of_another: "--file: the private key belongs to another certificate",
};

/** Stores the certificate that signs Facturae, and returns the tax numbers of branches that it signs for. */
export async function setSigningCertificate(
  db: D1Database,
  { account, masterKey, pem, now }: CertificateTerms,
): Promise<readonly string[]> {
  const signer = await openSigner(pem);
  if (typeof signer === "string") throw new Error(CERTIFICATE_PROBLEMS[signer]);
  const { certificate } = signer;
  if (certificate.notAfter < now) throw new Error("--file: the certificate has expired");
  const { results } = await db
    .prepare("SELECT DISTINCT document_id FROM branches WHERE document_id <> '' ORDER BY 1")
    .all<{ document_id: string }>();
  const taxIds = results.map((row) => row.document_id);
  const signed = taxIds.filter((taxId) =>
    isCertificateValidForTaxId(certificate, taxId, Math.max(now, certificate.notBefore)),
  );
  if (signed.length === 0)
    throw new Error(
      `--file: the certificate names no tax number of the branches: ${taxIds.join(", ") || "they have none"}`,
    );
  await db
    .prepare(
      `INSERT INTO account_secrets (name, sealed, expires_at) VALUES ('signing_certificate', ?1, ?2)
        ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at`,
    )
    .bind(await encryptSecret(masterKey, account, pem), certificate.notAfter)
    .run();
  return signed;
}

/** Removes the certificate that signs Facturae. */
export async function removeSigningCertificate(db: D1Database): Promise<void> {
  await db.prepare("DELETE FROM account_secrets WHERE name = 'signing_certificate'").run();
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Throws a readable error if a code doesn't exist, before a constraint fails. */
export async function requireExistingCode(
  db: D1Database,
  table: "branches" | "sales_channels",
  code: string,
  commandOption: string,
): Promise<void> {
  const { results } = await db.prepare(`SELECT code FROM ${table} ORDER BY code`).all<{ code: string }>();
  if (results.some((result) => result.code === code)) return;
  const known = results.map((result) => result.code).join(", ");
  const problem = `${commandOption}: ${code} is none of the account's ${table.replace("_", " ")}`;
  throw new Error(`${problem}${known ? `: ${known}` : ", which has none yet"}`);
}
