import { asc, eq, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { branches, legalTexts } from "#worker/store/schema/organization.ts";

/** Returns the query for the contact data of branches with a pickup place for visitors, in order of their places. */
export function publicBranchesQuery(db: Database) {
  return db
    .select({
      code: branches.code,
      name: branches.name,
      companyName: branches.companyName,
      documentId: branches.documentId,
      commercialRegister: branches.commercialRegister,
      phoneNumber: branches.phoneNumber,
      whatsappNumber: branches.whatsappNumber,
      email: branches.email,
      street: branches.addressStreetAddress,
      city: branches.addressCity,
      state: branches.addressState,
      zip: branches.addressZip,
      country: branches.addressCountryCode,
      latitude: branches.addressLat,
      longitude: branches.addressLng,
    })
    .from(branches)
    .where(sql`EXISTS (SELECT 1 FROM pickup_places WHERE pickup_places.branch_code = branches.code AND web_public = 1)`)
    .orderBy(asc(branches.code));
}

export type PublicBranch = Awaited<ReturnType<typeof publicBranchesQuery>>[number];

/** Returns the query for the texts and addresses of a legal document in each language. */
export const legalTextsQuery = (db: Database, document: "terms" | "privacy") =>
  db.select().from(legalTexts).where(eq(legalTexts.document, document)).orderBy(asc(legalTexts.id));
