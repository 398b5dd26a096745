import { translateExtraName, translateName } from "#domain/catalogue/names.ts";
import type { Booking, Settings } from "../api/messages.ts";
import { language } from "./preferences.ts";
import { settings } from "./settings.ts";

// Settings cached from an older server lack the names.
type KnownSettings = Partial<Settings> | undefined;

/** Returns a booking with the names of its categories, extras and places, by default in the user's language. */
export function localizeBooking(
  booking: Booking,
  catalogue: KnownSettings = settings.value,
  userLanguage: string = language.value,
): Booking {
  const names = catalogue?.names;
  if (!names) return booking;
  const { pickup_place_id, return_place_id }: Partial<Booking> = booking;
  return {
    ...booking,
    pickup_place: translateName(names.places[pickup_place_id ?? ""], userLanguage, booking.pickup_place),
    return_place: translateName(names.places[return_place_id ?? ""], userLanguage, booking.return_place),
    resources: booking.resources.map((unit) => ({
      ...unit,
      category_name: translateName(names.categories[unit.category_code], userLanguage, unit.category_name),
    })),
    extras: booking.extras.map((extra) => ({ ...extra, name: getExtraName(extra, catalogue, userLanguage) })),
  };
}

/** Returns the name of an extra, by default in the user's language. */
export function getExtraName(
  { extra_code, name }: { readonly extra_code: string; readonly name: string },
  catalogue: KnownSettings = settings.value,
  userLanguage: string = language.value,
): string {
  return translateExtraName(catalogue?.names?.extras[extra_code], userLanguage, name);
}

/** Returns the name of a category in the user's language. */
export function getCategoryName(code: string): string {
  const known: KnownSettings = settings.value;
  const agreed = known?.categories?.find((category) => category.code === code)?.name ?? code;
  return translateName(known?.names?.categories[code], language.value, agreed);
}

/** Returns the name of a place in the user's language. */
export function getPlaceName({ id, name }: { readonly id: number; readonly name: string }): string {
  const known: KnownSettings = settings.value;
  return translateName(known?.names?.places[id], language.value, name);
}
