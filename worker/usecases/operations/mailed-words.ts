import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { SpokenLanguage, Translations } from "#domain/catalogue/languages.ts";
import { dateText } from "#domain/printing/notation.ts";
import type { MailedBooking, MailedPart } from "#worker/store/operations/booking-mails.ts";

/** What a mail says of a booking in a language of ours: as it was agreed, where the company has no translation. */
export interface MailedWords {
  readonly pickupPlace: string;
  readonly returnPlace: string;
  readonly products: string;
}

/** The words of the company's own catalogue, in a language. */
export function mailedWords(catalogue: Catalogue, booking: MailedBooking, language: SpokenLanguage): MailedWords {
  const inLanguage = (thing: { readonly names: Translations } | undefined, name: string) =>
    thing?.names[language] ?? name;
  const { places, categories, transfers } = catalogue;
  const place = (id: number | null, name: string) => inLanguage(places.get(id ?? 0), name);
  const point = (id: number, name: string) => inLanguage(transfers.points.get(id), name);
  const part = (one: MailedPart) => {
    if ("code" in one)
      return `${one.quantity > 1 ? `${one.quantity} × ` : ""}${inLanguage(categories.get(one.code), one.name)}`;
    if ("vehicleId" in one) return inLanguage(transfers.vehicles.get(one.vehicleId), one.name);
    const moment = `${dateText(one.date, language, catalogue.settings.countryCode)} ${one.time}`;
    return `${moment} ${point(one.originId, one.origin)} – ${point(one.destinationId, one.destination)}`;
  };
  const trips = booking.products.filter((one) => "originId" in one);
  const [first, last] = [trips[0], trips.at(-1)];
  return {
    pickupPlace: first ? point(first.originId, first.origin) : place(booking.pickupPlaceId, booking.pickupPlace),
    returnPlace: last ? point(last.destinationId, last.destination) : place(booking.returnPlaceId, booking.returnPlace),
    products: booking.products.map(part).join(", "),
  };
}
