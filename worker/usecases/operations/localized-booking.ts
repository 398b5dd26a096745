import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { PlatformLanguage, Translations } from "#domain/catalogue/languages.ts";
import type {
  BookedExtra,
  BookedProduct,
  BookedTrip,
  BookingMailData,
} from "#worker/store/operations/booking-mails.ts";

/**
 * Texts of a booking for mails in a supported language. Falls back to the agreed texts if the company has no
 * translation.
 */
export interface LocalizedBooking {
  readonly pickupPlace: string;
  readonly returnPlace: string;
  /** Vehicles with their number. */
  readonly vehicles: string;
  /** Names of the extras. Empty if there are none. */
  readonly extras: string;
  /** Trips of a transfer. Empty for a rental. */
  readonly trips: readonly LocalizedTrip[];
}

/** Trip with its vehicle and points in a language. */
interface LocalizedTrip {
  readonly trip: BookedTrip;
  readonly origin: string;
  readonly route: string;
  readonly title: string;
}

/** Returns the catalogue's texts for a booking in a language. */
export function localizeBooking(
  catalogue: Catalogue,
  booking: BookingMailData,
  language: PlatformLanguage,
): LocalizedBooking {
  const inLanguage = (catalogueItem: { readonly names: Translations } | undefined, name: string) =>
    catalogueItem?.names[language] ?? name;
  const { places, categories, extras, transfers } = catalogue;
  const place = (id: number | null, name: string) => inLanguage(places.get(id ?? 0), name);
  const point = (id: number, name: string) => inLanguage(transfers.points.get(id), name);
  const counted = (quantity: number, name: string) => `${quantity > 1 ? `${quantity} × ` : ""}${name}`;
  const route = (trip: BookedTrip) =>
    `${point(trip.originId, trip.origin)} – ${point(trip.destinationId, trip.destination)}`;
  const nameVehicle = (product: Exclude<BookedProduct, BookedTrip>) =>
    "code" in product
      ? counted(product.quantity, inLanguage(categories.get(product.code), product.name))
      : inLanguage(transfers.vehicles.get(product.vehicleId), product.name);
  const findExtra = (extra: BookedExtra) => ("code" in extra ? extras.get(extra.code) : transfers.extras.get(extra.id));
  const trips = booking.products.filter((product) => "originId" in product);
  const vehicles = booking.products
    .flatMap((product) => ("originId" in product ? [] : [nameVehicle(product)]))
    .join(", ");
  const [first, last] = [trips[0], trips.at(-1)];
  return {
    pickupPlace: first ? point(first.originId, first.origin) : place(booking.pickupPlaceId, booking.pickupPlace),
    returnPlace: last ? point(last.destinationId, last.destination) : place(booking.returnPlaceId, booking.returnPlace),
    vehicles,
    extras: booking.extras.map((extra) => counted(extra.quantity, inLanguage(findExtra(extra), extra.name))).join(", "),
    trips: trips.map((trip) => ({
      trip,
      origin: point(trip.originId, trip.origin),
      route: route(trip),
      title: `${vehicles}, ${route(trip)}`,
    })),
  };
}
