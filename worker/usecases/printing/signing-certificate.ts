import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { encryptSecret, tryDecryptSecret } from "#worker/auth/secret-encryption.ts";
import { openPkcs12, type Pkcs12Problem } from "#worker/authorities/e-invoices/pkcs12.ts";
import {
  isCertificateValidForTaxId,
  openSigner,
  type Signer,
  type SignerProblem,
} from "#worker/authorities/e-invoices/signer.ts";
import {
  accountSecretQuery,
  deleteAccountSecretStatement,
  replaceAccountSecretStatement,
} from "#worker/store/access/account-secrets.ts";
import { createSecurityEventStatement } from "#worker/store/access/security-events.ts";
import { type BranchIssuerRow, branchIssuersQuery } from "#worker/store/printing/letterhead.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { hashBytesSha256 } from "#worker/usecases/shared/hash-bytes.ts";

const NAME = "signing_certificate";

/** Public data of the certificate that signs electronic invoices. */
export interface SigningCertificate {
  /** Texts of the holder's name: company, person, tax numbers. */
  readonly holder: readonly string[];
  readonly issuer: string;
  /** Tax numbers of branches that it names. */
  readonly taxIds: readonly string[];
  /** Start and end of its validity, epoch ms. */
  readonly notBefore: number;
  readonly notAfter: number;
}

type CertificateAnswer = Result<StaffAnswer<SigningCertificate | undefined>, OfficeRefusal>;

/** Returns the certificate, without its key. Only for administrators. */
export async function readSigningCertificate(request: StaffRequest): Promise<CertificateAnswer> {
  const { tenant, now } = request;
  const read = await readAsStaff(
    request,
    () => [accountSecretQuery(tenant.db, NAME), branchIssuersQuery(tenant.db)] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "administer");
  if (missing) return missing;
  const [secrets, issuers] = rows;
  return ok({ value: await describe(tenant, secrets[0]?.sealed, { issuers, now }), freshToken });
}

/** File with the certificate and its key: PKCS #12, or PEM without a password. */
interface CertificateFile {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly password: string;
}

/** Stores the certificate and its key, encrypted. Replaces another one. */
export async function replaceSigningCertificate(write: OfficeWrite, file: CertificateFile): Promise<CertificateAnswer> {
  const { masterKey, name: account, db } = write.tenant;
  return writeCertificate(write, await hashBytesSha256(file.content), async (issuers) => {
    const pem = await readFile(file);
    if (typeof pem !== "string") return refuse(FILE_PROBLEMS[pem.problem]);
    const signer = await openSigner(pem);
    if (typeof signer === "string") return refuse(SIGNER_PROBLEMS[signer]);
    const problem = findTermProblem(signer, issuers, write.now);
    if (problem) return refuse(problem);
    return ok(
      replaceAccountSecretStatement(
        db,
        NAME,
        await encryptSecret(masterKey, account, pem),
        signer.certificate.notAfter,
      ),
    );
  });
}

/** Deletes the certificate with its key. */
export function deleteSigningCertificate(write: OfficeWrite): Promise<CertificateAnswer> {
  return writeCertificate(write, null, async () => ok(deleteAccountSecretStatement(write.tenant.db, NAME)));
}

type Statement = ReturnType<typeof replaceAccountSecretStatement> | ReturnType<typeof deleteAccountSecretStatement>;

async function writeCertificate(
  write: OfficeWrite,
  fileHash: string | null,
  decide: (issuers: readonly BranchIssuerRow[]) => Promise<Result<Statement, OfficeRefusal>>,
): Promise<CertificateAnswer> {
  const { tenant, now } = write;
  const writeResult = await runOfficeWriteOnce(write, {
    right: "administer",
    content: { signingCertificate: fileHash },
    read: () => [branchIssuersQuery(tenant.db)] as const,
    decide: async ({ rows: [issuers], staff: { userId } }) => {
      const decided = await decide(issuers);
      if (!decided.ok) return decided;
      const detail = { key: NAME, what: fileHash === null ? "deleted" : "changed" };
      const event = createSecurityEventStatement(tenant.db, { kind: "key_changed", userId, detail }, now);
      return ok({ resource: NAME, statements: [decided.value, event] });
    },
    readBack: () => [accountSecretQuery(tenant.db, NAME), branchIssuersQuery(tenant.db)] as const,
    answer: ([secrets, issuers]) => ok({ sealed: secrets[0]?.sealed, issuers }),
  });
  if (!writeResult.ok) return writeResult;
  const { value, freshToken } = writeResult.value;
  return ok({ value: await describe(tenant, value.sealed, { issuers: value.issuers, now }), freshToken });
}

async function readFile({ content, password }: CertificateFile) {
  const text = new TextDecoder().decode(content);
  return text.includes("-----BEGIN ") ? text : openPkcs12(content, password);
}

type TermProblem = "certificate_expired" | "certificate_tax_id";
type FileProblem =
  | TermProblem
  | "certificate_unreadable"
  | "certificate_password"
  | "certificate_encryption"
  | "certificate_key"
  | "certificate_key_encrypted";

const FILE_PROBLEMS: Readonly<Record<Pkcs12Problem, FileProblem>> = {
  unreadable: "certificate_unreadable",
  wrong_password: "certificate_password",
  outdated_encryption: "certificate_encryption",
};

const SIGNER_PROBLEMS: Readonly<Record<SignerProblem, FileProblem>> = {
  no_certificate: "certificate_unreadable",
  no_key: "certificate_key",
  key_encrypted: "certificate_key_encrypted",
  key_not_rsa: "certificate_key",
  key_of_another: "certificate_key",
};

const refuse = (problem: FileProblem) =>
  err({
    kind: "invalid" as const,
    field: problem === "certificate_password" ? "password" : "content",
    reason: createReason(problem),
  });

function findTermProblem(
  { certificate }: Signer,
  issuers: readonly BranchIssuerRow[],
  now: number,
): TermProblem | undefined {
  if (certificate.notAfter < now) return "certificate_expired";
  const validFrom = Math.max(now, certificate.notBefore);
  return listTaxIds(certificate, issuers, validFrom).length === 0 ? "certificate_tax_id" : undefined;
}

function listTaxIds(
  certificate: Signer["certificate"],
  issuers: readonly BranchIssuerRow[],
  at: number,
): readonly string[] {
  const known = [...new Set(issuers.map(({ documentId }) => documentId ?? ""))];
  return known.filter((taxId) => isCertificateValidForTaxId(certificate, taxId, at));
}

interface Context {
  readonly issuers: readonly BranchIssuerRow[];
  readonly now: number;
}

async function describe(
  tenant: Tenant,
  sealed: string | undefined,
  { issuers, now }: Context,
): Promise<SigningCertificate | undefined> {
  const pem = sealed && (await tryDecryptSecret(tenant, sealed));
  const signer = pem ? await openSigner(pem) : "no_certificate";
  if (typeof signer === "string") return undefined;
  const { subject, issuer, notBefore, notAfter } = signer.certificate;
  const at = Math.min(Math.max(now, notBefore), notAfter);
  const taxIds = listTaxIds(signer.certificate, issuers, at);
  return { holder: subject, issuer, taxIds, notBefore, notAfter };
}
