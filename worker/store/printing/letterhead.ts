import { eq, max, type SQL, sql } from "drizzle-orm";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { officeHistory } from "#worker/store/schema/office-history.ts";
import { branches, legalTexts } from "#worker/store/schema/organization.ts";
import { contractTerms, letterhead } from "#worker/store/schema/printing.ts";

const branch = {
  code: branches.code,
  companyName: branches.companyName,
  documentId: branches.documentId,
  phoneNumber: branches.phoneNumber,
  email: branches.email,
  commercialRegister: branches.commercialRegister,
  taxTerritory: branches.taxTerritory,
  street: branches.addressStreetAddress,
  city: branches.addressCity,
  state: branches.addressState,
  zip: branches.addressZip,
  country: branches.addressCountryCode,
};

/** Returns the query for the layout of the company's documents. No row if not configured. */
export function letterheadQuery(db: Database) {
  return db.select().from(letterhead).where(eq(letterhead.id, 1));
}

/** Returns the query for the last version of the layout's history. */
export function lastLetterheadVersionQuery(db: Database) {
  return db
    .select({ version: max(officeHistory.version) })
    .from(officeHistory)
    .where(sql`${officeHistory.resource} = 'letterhead' AND ${officeHistory.resourceId} = '1'`);
}

/** Returns the statement that saves the letterhead. */
export function saveLetterheadStatement(db: Database, values: Pick<LetterheadRow, "color" | "foot" | "logo">) {
  return db
    .insert(letterhead)
    .values({ id: 1, ...values })
    .onConflictDoUpdate({ target: letterhead.id, set: values });
}

export type LetterheadRow = Awaited<ReturnType<typeof letterheadQuery>>[number];

/** Returns the query for every branch with its data for documents. */
export function branchIssuersQuery(db: Database) {
  return db.select(branch).from(branches).orderBy(branches.code);
}

export type BranchIssuerRow = Awaited<ReturnType<typeof branchIssuersQuery>>[number];

/** Company data of a branch on issued documents. */
export type DocumentIssuer = Pick<
  BranchIssuerRow,
  "companyName" | "documentId" | "commercialRegister" | "street" | "city" | "state" | "zip" | "taxTerritory"
>;

/** Returns the issuer of documents from before a branch changed its company. Null if unchanged. */
export function selectHistoricIssuer(branchCode: SQL, isHistoricCompany: SQL) {
  return sql`(SELECT json_object('companyName', company_name, 'documentId', document_id, 'commercialRegister', commercial_register,
    'street', street, 'city', city, 'state', state, 'zip', zip, 'taxTerritory', tax_territory)
    FROM earlier_issuers AS issuer WHERE issuer.branch_code = ${branchCode} AND ${isHistoricCompany} ORDER BY issuer.id LIMIT 1)`.mapWith(
    parseStoredJson<DocumentIssuer>,
  ) as SQL<DocumentIssuer | null>;
}

/**
 * Returns the query for the general conditions of contracts and quotes, one row per language: those of the company's
 * documents, otherwise the terms that customers accept before they book.
 */
export function generalConditionsQuery(db: Database) {
  const { language, text } = legalTexts;
  return db
    .select()
    .from(contractTerms)
    .unionAll(
      db
        .select({ language: sql<PlatformLanguage>`${language}`, terms: sql<string>`${text}` })
        .from(legalTexts)
        .where(
          sql`${legalTexts.document} = 'terms' AND ${text} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM contract_terms)`,
        ),
    );
}
