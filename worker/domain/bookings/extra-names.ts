import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Translations } from "#domain/catalogue/languages.ts";
import type { BookingExtra } from "./bookings.ts";

/**
 * What an extra of a booking is called in other languages: as the catalogue says. What was charged afterwards keeps the
 * words that say which one it is.
 */
export function getExtraNames({ extras }: Pick<Catalogue, "extras">, bookingExtra: BookingExtra): Translations {
  const extra = extras.get(bookingExtra.extraCode);
  if (!extra) return {};
  if (bookingExtra.chargedOn === undefined) return extra.names;
  if (!bookingExtra.description.startsWith(extra.name)) return {};
  const descriptionSuffix = bookingExtra.description.slice(extra.name.length);
  return Object.fromEntries(
    Object.entries(extra.names).map(([language, name]) => [language, `${name}${descriptionSuffix}`]),
  );
}
