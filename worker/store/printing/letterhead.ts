import { eq } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
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

/** The general conditions, a row for each language. */
export function contractTermsQuery(db: Database) {
  return db.select().from(contractTerms);
}
