import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Translations } from "#domain/catalogue/languages.ts";
import type { BookingExtra } from "./bookings.ts";

/**
 * What an extra of a booking is called in other languages: as the catalogue says. What was charged afterwards keeps the
 * words that say which one it is.
 */
export function namesOfExtra({ extras }: Pick<Catalogue, "extras">, one: BookingExtra): Translations {
  const extra = extras.get(one.extraCode);
  if (!extra) return {};
  if (one.chargedOn === undefined) return extra.names;
  if (!one.description.startsWith(extra.name)) return {};
  const words = one.description.slice(extra.name.length);
  return Object.fromEntries(Object.entries(extra.names).map(([language, name]) => [language, `${name}${words}`]));
}
