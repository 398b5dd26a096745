import { formatIcal } from "#domain/bookings/ical.ts";
import type { BookingMailKind } from "#domain/catalogue/booking-mail-kinds.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { createMapLink, formatAddress, type PlaceAddress } from "#domain/catalogue/map-address.ts";
import { translateName } from "#domain/catalogue/names.ts";
import { groupOpeningHours } from "#domain/catalogue/open-days.ts";
import { listSpecialHours } from "#domain/catalogue/special-hours.ts";
import {
  calculateCancellationFee,
  getFreeCancellationEnd,
  listCancellationSteps,
} from "#domain/contracts/cancellation.ts";
import { type CivilDate, fromCivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { formatDate, formatMoney } from "#domain/money-notation.ts";
import type { BookingMail, PickupGuide } from "#worker/mail/booking-mail.ts";
import type { BranchSignature } from "#worker/mail/signature.ts";
import type { BookingMailData } from "#worker/store/operations/booking-mails.ts";
import { toCivilNow, toEpochInstant } from "#worker/tenancy/clock.ts";
import type { MailAttachment } from "#worker/usecases/mails/send-mails.ts";
import { formatIcalTime } from "#worker/usecases/shared/ical-time.ts";
import { localizeBooking } from "./localized-booking.ts";

const KINDS_WITH_CALENDAR: ReadonlySet<BookingMailKind> = new Set(["confirmed", "changed"]);

/** Returns what the customer needs to know before the pickup. */
export function createPickupGuide(
  catalogue: Catalogue,
  booking: BookingMailData,
  {
    kind,
    language,
    now,
  }: { readonly kind: BookingMailKind; readonly language: PlatformLanguage; readonly now: number },
): PickupGuide {
  const { currency, currencyDecimals: decimals, countryCode } = catalogue.settings;
  const { pickupAddress, returnAddress, depositCents, isRental, status } = booking;
  const place = (address: PlaceAddress | null) =>
    address ? { address: formatAddress(address), map: createMapLink(address) } : undefined;
  const pickupAt = place(pickupAddress);
  const returnAt = place(returnAddress);
  const hours = catalogue.branches.get(booking.branchCode);
  const [special] = hours ? listSpecialHours(hours, booking.dateFrom, booking.dateFrom) : [];
  return {
    pickupAt,
    returnAt: returnAt?.address === pickupAt?.address ? undefined : returnAt,
    hours: isRental && hours ? groupOpeningHours(hours) : undefined,
    specialHours: special && { ...special, date: formatDate(special.date, language, countryCode) },
    deposit: depositCents > 0 ? formatMoney(depositCents, { currency, decimals, language }) : undefined,
    cancellation: describeCancellation(catalogue, booking, language, now),
    levels: listLevelsToRefill(catalogue, booking),
    needsDocuments: isRental === 1,
    hasCalendar: status === "confirmed" && KINDS_WITH_CALENDAR.has(kind),
    branch: toBranchSignature(catalogue, booking, language),
  };
}

/** Returns the branch that signs a booking's mails, in their language. */
export function toBranchSignature(
  { branches }: Catalogue,
  { branch, branchCode }: Pick<BookingMailData, "branch" | "branchCode">,
  language: PlatformLanguage,
): BranchSignature | undefined {
  if (!branch) return undefined;
  const { phone, email } = branch;
  const name = translateName(branches.get(branchCode)?.names, language, branch.name);
  return { name, address: formatAddress(branch), phone: phone ?? undefined, email: email ?? undefined };
}

// Returns the levels that the vehicles must have again at the return. Empty for a transfer, and without known fuels.
function listLevelsToRefill({ categories }: Catalogue, { products }: BookingMailData): PickupGuide["levels"] {
  const fuels = products.flatMap((product) => ("code" in product ? (categories.get(product.code)?.fuel ?? []) : []));
  return [...new Set(fuels.map((fuel) => (fuel === "electric" ? "charge" : "fuel")))];
}

function describeCancellation(
  { settings, cancellationTerms }: Catalogue,
  booking: BookingMailData,
  language: PlatformLanguage,
  now: number,
): PickupGuide["cancellation"] {
  const { currency, currencyDecimals: decimals, timezone, countryCode } = settings;
  const clock = toCivilNow(timezone, now);
  const civil = toCivilMinute(clock.date, clock.time);
  const contract = {
    ...{ status: booking.status, totalPaidCents: booking.paidCents, days: booking.days },
    salesChannel: booking.salesChannel ?? undefined,
    period: { dateFrom: booking.dateFrom as CivilDate, timeFrom: booking.timeFrom as TimeText },
    totals: { totalCents: booking.totalCents, itemCents: booking.itemCents },
  };
  const money = (cents: number) => formatMoney(cents, { currency, decimals, language });
  const isFree = calculateCancellationFee(cancellationTerms, "cancellation", contract, { civil }) === 0;
  // Until it's paid or confirmed, a cancellation costs nothing.
  const end = getFreeCancellationEnd(cancellationTerms, contract) ?? 0;
  if (isFree && end <= civil) return [];
  return listCancellationSteps(cancellationTerms, { ...contract, status: "confirmed" }, civil).map(
    ({ until, feeCents }) => {
      const { date, time } = fromCivilMinute(until);
      const moment = `${formatDate(date, language, countryCode)} ${time}`;
      return { until: moment, fee: feeCents > 0 ? money(feeCents) : undefined };
    },
  );
}

/**
 * Creates the calendar file of a rental, or of a transfer with an event for each trip. Its events replace those of an
 * earlier version.
 */
export function createReservationIcalAttachment(
  account: string,
  catalogue: Catalogue,
  booking: BookingMailData,
  { company, products }: Pick<BookingMail, "company" | "products">,
  language: PlatformLanguage,
): MailAttachment {
  const { settings } = catalogue;
  const { pickupAddress, version, lastUpdate, bookingId } = booking;
  const { pickupPlace, trips } = localizeBooking(catalogue, booking, language);
  const toMinute = (date: string, time: string) => toCivilMinute(date as CivilDate, time as TimeText);
  const moment = (minute: number) => formatIcalTime(toEpochInstant(settings.timezone, minute));
  const address = pickupAddress ? formatAddress(pickupAddress) : "";
  const rental = {
    starts: toMinute(booking.dateFrom, booking.timeFrom),
    ends: toMinute(booking.dateTo, booking.timeTo),
    title: products,
    location: [pickupPlace, address].filter(Boolean).join(", "),
  };
  const transfer = trips.map(({ trip, title, origin }) => {
    const starts = toMinute(trip.date, trip.time);
    return { starts, ends: starts + trip.minutes, title, location: origin };
  });
  const text = formatIcal(
    company,
    (transfer.length > 0 ? transfer : [rental]).map(({ starts, ends, title, location }, index) => ({
      uid: `reservation-${bookingId}${index === 0 ? "" : `-${index + 1}`}@${account}`,
      sequence: version,
      changedAt: formatIcalTime(lastUpdate),
      startsAt: moment(starts),
      endsAt: moment(ends),
      summary: `${company} (${bookingId}): ${title}`,
      location,
      isTentative: false,
    })),
  );
  return { name: `${bookingId}.ics`, base64: Buffer.from(text).toString("base64"), type: "text/calendar" };
}
