import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Translations } from "#domain/catalogue/languages.ts";
import type { BookingExtra } from "./bookings.ts";

/** Returns the catalogue's names of a booked extra in other languages. Charges added later keep their specific text. */
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
