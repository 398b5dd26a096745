import { type SQL, sql } from "drizzle-orm";
import { WEBSITE_PAGE_FIELD } from "#domain/bookings/contract-data.ts";

/** Returns the SQL of the page of the website that made a booking, by the table's name or alias. */
export const selectWebsitePage = (booking: "bookings" | "booking"): SQL<string | null> =>
  sql.raw(`${booking}.contract_data ->> '${WEBSITE_PAGE_FIELD}'`) as SQL<string | null>;
