import type { Catalogue } from "./catalogue.ts";
import type { Translations } from "./languages.ts";

/** Names by language, also in the account's default language. */
export interface CatalogueNames {
  /** Names of categories by code. */
  readonly categories: Readonly<Record<string, Translations>>;
  readonly extras: Readonly<Record<string, Translations>>;
  /** Names of places by id. */
  readonly places: Readonly<Record<string, Translations>>;
}

/** Texts of a booking that have translations. */
interface NamedBooking {
  readonly pickupPlaceId: number | null;
  readonly pickupPlace: string;
  readonly returnPlaceId: number | null;
  readonly returnPlace: string;
  readonly units: readonly { readonly categoryCode: string; readonly categoryName: string }[];
  readonly extras: readonly { readonly code: string; readonly name: string }[];
}

/** Returns the names of all categories, extras and places. */
export function getCatalogueNames({ settings, categories, extras, places }: Catalogue): CatalogueNames {
  const inAllLanguages = <Key>(items: ReadonlyMap<Key, { readonly name: string; readonly names: Translations }>) =>
    Object.fromEntries(
      [...items].map(([key, { name, names }]) => [key, { ...names, [settings.defaultLanguage]: name }]),
    );
  return {
    categories: inAllLanguages(categories),
    extras: inAllLanguages(extras),
    places: inAllLanguages(places),
  };
}

/** Returns a name in a language, or as agreed if the company has no translation. */
export function translateName(names: Translations | undefined, language: string, agreedName: string): string {
  return names?.[language] ?? agreedName;
}

/** Returns an extra's name in a language. Charges keep the text that was added to the extra's name. */
export function translateExtraName(names: Translations | undefined, language: string, agreedName: string): string {
  const prefix = Object.values(names ?? {})
    .filter((name) => name !== "" && agreedName.startsWith(name))
    .reduce((longest, name) => (name.length > longest.length ? name : longest), "");
  const translated = names?.[language];
  return prefix === "" || translated === undefined ? agreedName : `${translated}${agreedName.slice(prefix.length)}`;
}

/** Returns a booking with the names of its categories, extras and places in a language. */
export function localizeBookingNames<Booking extends NamedBooking>(
  booking: Booking,
  { categories, extras, places }: CatalogueNames,
  language: string,
): Booking {
  return {
    ...booking,
    pickupPlace: translateName(places[booking.pickupPlaceId ?? ""], language, booking.pickupPlace),
    returnPlace: translateName(places[booking.returnPlaceId ?? ""], language, booking.returnPlace),
    units: booking.units.map((unit) => ({
      ...unit,
      categoryName: translateName(categories[unit.categoryCode], language, unit.categoryName),
    })),
    extras: booking.extras.map((extra) => ({
      ...extra,
      name: translateExtraName(extras[extra.code], language, extra.name),
    })),
  };
}
