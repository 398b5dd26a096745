import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { getFreeCancellationEnd } from "#domain/contracts/cancellation.ts";
import { formatCivilMinute, toCivilMinute } from "#domain/dates.ts";
import { nullableText } from "./messages.ts";

/** End of the free cancellation of a cart. */
export const freeCancellationUntil = nullableText.meta({
  description: "Local time until which a cancellation is free, null if it no longer is",
  example: "2030-04-29T10:00",
});

/** Returns the end of the free cancellation, or null if it's over. */
export function getFreeCancellationTime(
  { cancellationTerms }: Pick<Catalogue, "cancellationTerms">,
  { period, salesChannel }: Parameters<typeof getFreeCancellationEnd>[1],
  now: CivilNow,
): string | null {
  const end = getFreeCancellationEnd(cancellationTerms, { period, salesChannel });
  if (end === undefined || end <= toCivilMinute(now.date, now.time)) return null;
  return formatCivilMinute(end);
}
