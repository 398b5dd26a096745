import { all, at, type XmlElement } from "#domain/xml.ts";

type Members = Readonly<Record<string, unknown>>;

// Times are in the account's time zone, so an offset is rejected.
function parseCivilTime(text: string | undefined): readonly [date: string, time: string] {
  const [, date = "", time = ""] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::00(?:\.0+)?)?$/.exec(text ?? "") ?? [];
  return [date || (text ?? ""), time];
}

// Empty values count as missing.
const emptyToUndefined = (text: string | undefined) => (text?.trim() === "" ? undefined : text);
const attribute = (element: XmlElement | undefined, name: string) => emptyToUndefined(element?.attributes[name]);
const getElementText = (element: XmlElement | undefined) => emptyToUndefined(element?.text);

function parseRental(core: XmlElement | undefined) {
  const [dateFrom, timeFrom] = parseCivilTime(attribute(core, "PickUpDateTime"));
  const [dateTo, timeTo] = parseCivilTime(attribute(core, "ReturnDateTime"));
  const pickup = attribute(at(core, "PickUpLocation"), "LocationCode");
  const back = attribute(at(core, "ReturnLocation"), "LocationCode") ?? pickup;
  return { dateFrom, timeFrom, dateTo, timeTo, pickup, back };
}

const omitUndefined = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ""));

/** Converts a VehAvailRate request to the availability parameters of the agency API. */
export function toAvailabilityQuery(root: XmlElement): Members {
  const core = at(root, "VehAvailRQCore");
  const { dateFrom, timeFrom, dateTo, timeTo, pickup, back } = parseRental(at(core, "VehRentalCore"));
  return omitUndefined({
    "date-from": dateFrom,
    "time-from": timeFrom,
    "date-to": dateTo,
    "time-to": timeTo,
    "pickup-place": pickup,
    "return-place": back,
    "driver-age": attribute(at(core, "DriverType"), "Age"),
    "customer-language": attribute(root, "PrimaryLangID")?.slice(0, 2).toLowerCase(),
  });
}

/** Converts a VehRes request to the booking body of the agency API. */
export function toBookingBody(root: XmlElement): Members {
  const core = at(root, "VehResRQCore");
  const { dateFrom, timeFrom, dateTo, timeTo, pickup, back } = parseRental(at(core, "VehRentalCore"));
  const person = at(core, "Customer", "Primary");
  const age = attribute(at(core, "DriverType"), "Age");
  const reservation = omitUndefined({
    agency_reservation_id: parseAgencyReference(core),
    date_from: dateFrom,
    time_from: timeFrom,
    date_to: dateTo,
    time_to: timeTo,
    pickup_place: parseNumber(pickup),
    return_place: parseNumber(back),
    customer_name: getElementText(at(person, "PersonName", "GivenName")),
    customer_surname: getElementText(at(person, "PersonName", "Surname")),
    customer_email: getElementText(at(person, "Email")),
    customer_phone_number: attribute(at(person, "Telephone"), "PhoneNumber"),
    customer_document_id: attribute(at(person, "Document"), "DocID"),
    customer_language: attribute(root, "PrimaryLangID")?.slice(0, 2).toLowerCase(),
    driver_age: age === undefined ? undefined : parseNumber(age),
    products: all(core, "VehPref").map((xmlElement) =>
      omitUndefined({ code: attribute(xmlElement, "Code"), quantity: 1 }),
    ),
    extras: all(at(core, "SpecialEquipPrefs"), "SpecialEquipPref").map((xmlElement) =>
      omitUndefined({
        code: attribute(xmlElement, "EquipType"),
        quantity: parseNumber(attribute(xmlElement, "Quantity") ?? "1"),
      }),
    ),
  });
  return { reservation };
}

/** Returns the agency's own reference of a VehRes, VehCancel or VehRetRes. */
export function parseAgencyReference(core: XmlElement | undefined): string | undefined {
  return attribute(at(core, "UniqueID"), "ID");
}

// Invalid numbers stay text, so that validation rejects them by field name.
function parseNumber(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : text;
}
