import { sanitizePlaceForMail } from "#domain/bookings/booking-mails.ts";
import { formatFlightNumber } from "#domain/bookings/contract-data.ts";
import { findLuggage } from "#domain/transfers/luggage.ts";
import { getTripAddressesAndFlights, type TripAddressAndFlight } from "#domain/transfers/trip-ends.ts";
import type { BookingMail } from "#worker/mail/booking-mail.ts";
import type { BookingMailData } from "#worker/store/operations/booking-mails.ts";

/**
 * Returns passengers, luggage, addresses and flights of a transfer for mails. Without texts that could contain a link.
 * Undefined for a rental.
 */
export function describeTransfer({ transfer, products }: BookingMailData): BookingMail["transfer"] {
  if (transfer === null) return undefined;
  const { data, adults, children, infants } = transfer;
  const luggage = findLuggage(data);
  const trips = products.filter((product) => "originId" in product);
  return {
    adults,
    children,
    infants,
    bags: luggage?.bags?.toString(),
    largeItems: luggage?.largeItems?.toString(),
    trips: trips.map((_, index) => {
      const ends = getTripAddressesAndFlights(data, { isReturn: index > 0, isRoundTrip: trips.length > 1 });
      return { origin: describeEnd(ends.origin), destination: describeEnd(ends.destination) };
    }),
  };
}

const TIME = /^\d{1,2}:\d{2}$/;

function describeEnd({ address, flight: { company, number, time, airport } }: TripAddressAndFlight) {
  const flight = sanitizePlaceForMail(formatFlightNumber(company, number) ?? "");
  const parts = [flight, time && TIME.test(time) ? time : "", sanitizePlaceForMail(airport ?? "")];
  return { address: sanitizePlaceForMail(address ?? ""), flight: parts.filter(Boolean).join(", ") };
}
