import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { parsed } from "#worker/store/reporting/parsed.ts";
import { branches } from "#worker/store/schema/organization.ts";
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

/** How the company's papers look; no row where it has said nothing. */
export function letterheadQuery(db: Database) {
  return db.select().from(letterhead).where(eq(letterhead.id, 1));
}

export type LetterheadRow = Awaited<ReturnType<typeof letterheadQuery>>[number];

/** Every branch with what its papers say of it. */
export function issuersQuery(db: Database) {
  return db.select(branch).from(branches).orderBy(branches.code);
}

export type IssuerRow = Awaited<ReturnType<typeof issuersQuery>>[number];

/** What is said of a branch's company on what it issued. */
export type IssuedBy = Pick<
  IssuerRow,
  "companyName" | "documentId" | "commercialRegister" | "street" | "city" | "state" | "zip" | "taxTerritory"
>;

/** Who issued what a branch has changed its company since; null where it is the same as now. */
export function issuedBy(branchCode: SQL, isHistoricCompany: SQL) {
  return sql`(SELECT json_object('companyName', company_name, 'documentId', document_id, 'commercialRegister', commercial_register,
    'street', street, 'city', city, 'state', state, 'zip', zip, 'taxTerritory', tax_territory)
    FROM earlier_issuers AS issuer WHERE issuer.branch_code = ${branchCode} AND ${isHistoricCompany} ORDER BY issuer.id LIMIT 1)`.mapWith(
    parsed<IssuedBy>,
  ) as SQL<IssuedBy | null>;
}

/** The general conditions, a row for each language. */
export function contractTermsQuery(db: Database) {
  return db.select().from(contractTerms);
}
