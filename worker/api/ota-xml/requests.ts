import type { Catalogue, Place } from "#domain/catalogue/catalogue.ts";
import { createProblem } from "#domain/problems.ts";
import { findElementByPath, listChildren, type XmlElement } from "#domain/xml.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { readCoverages, resolveEquipmentType } from "./extras.ts";
import { readRateQualifiers } from "./rate-qualifiers.ts";

type Members = Readonly<Record<string, unknown>>;

/** Time zone and catalogue of the account, with which a message's times and codes are converted. */
export interface MessageContext {
  readonly timezone: string;
  readonly places: readonly Place[];
  readonly extras: Catalogue["extras"];
  readonly categories: Catalogue["categories"];
}

// A time without an offset is local. With an offset it's an instant, converted to the account's time zone.
function parseCivilTime(text: string | undefined, timezone: string): readonly [date: string, time: string] {
  const [, date = "", time = "", offset] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::00(?:\.0+)?)?(Z|[+-]\d{2}:\d{2})?$/.exec(text ?? "") ?? [];
  const instant = offset === undefined ? Number.NaN : Date.parse(`${date}T${time}:00${offset}`);
  if (Number.isNaN(instant)) return [offset === undefined ? date || (text ?? "") : (text ?? ""), time];
  const local = toCivilNow(timezone, instant);
  return [local.date, local.time];
}

const IATA = /^[a-z]{3}$/i;

// Several places may belong to an airport. A vehicle returned at the airport goes to the pickup place if that place
// accepts returns.
function findPlace(
  location: XmlElement | undefined,
  places: readonly Place[],
  pickup: string | undefined,
): string | undefined {
  const code = attribute(location, "LocationCode");
  if (code === undefined || !IATA.test(code)) return code;
  const isUsable = ({ isPickup, isReturn }: Place) => (location?.name === "PickUpLocation" ? isPickup : isReturn);
  const matchingPlaces = places.filter((place) => place.iata?.toUpperCase() === code.toUpperCase() && isUsable(place));
  const same = matchingPlaces.find(({ id }) => String(id) === pickup);
  return String((same ?? matchingPlaces.toSorted((a, b) => a.id - b.id)[0])?.id ?? code);
}

// Empty values count as missing.
const emptyToUndefined = (text: string | undefined) => (text?.trim() === "" ? undefined : text);
const attribute = (element: XmlElement | undefined, name: string) => emptyToUndefined(element?.attributes[name]);
const getElementText = (element: XmlElement | undefined) => emptyToUndefined(element?.text);

function parseRental(core: XmlElement | undefined, { timezone, places }: MessageContext) {
  const [dateFrom, timeFrom] = parseCivilTime(attribute(core, "PickUpDateTime"), timezone);
  const [dateTo, timeTo] = parseCivilTime(attribute(core, "ReturnDateTime"), timezone);
  const pickup = findPlace(findElementByPath(core, "PickUpLocation"), places, undefined);
  const back = findPlace(findElementByPath(core, "ReturnLocation"), places, pickup) ?? pickup;
  return { dateFrom, timeFrom, dateTo, timeTo, pickup, back };
}

const omitUndefined = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ""));

/** Converts a rental of a message to the availability parameters of the agency API. */
export function toAvailabilityQuery(root: XmlElement, core: XmlElement | undefined, context: MessageContext): Members {
  const { dateFrom, timeFrom, dateTo, timeTo, pickup, back } = parseRental(
    findElementByPath(core, "VehRentalCore"),
    context,
  );
  return omitUndefined({
    "date-from": dateFrom,
    "time-from": timeFrom,
    "date-to": dateTo,
    "time-to": timeTo,
    "pickup-place": pickup,
    "return-place": back,
    "driver-age": attribute(findElementByPath(core, "DriverType"), "Age"),
    "promotion-code": readRateQualifiers(core, "").promotionCode,
    ...toLanguageMembers(root),
  });
}

/** Returns the language of a message as a parameter of the agency API. */
export function toLanguageMembers(root: XmlElement): Members {
  return omitUndefined({ "customer-language": attribute(root, "PrimaryLangID")?.slice(0, 2).toLowerCase() });
}

// OpenTravel lists PTT, DOC, UIT and TRP.
const FAX = "3";
const MOBILE = "5";
const VISA = "1";
const DRIVING_LICENCE = "4";
const OTHER_DOCUMENTS = new Set([VISA, DRIVING_LICENCE]);
const REFERENCE = "16";
const PLANE = "14";

function joinTexts(person: XmlElement | undefined, ...names: readonly string[]): string | undefined {
  const texts = names
    .flatMap((name) => listChildren(findElementByPath(person, "PersonName"), name))
    .map(getElementText);
  return texts.filter(Boolean).join(" ") || undefined;
}

/** Returns telephone and mobile phone of a person, no faxes, each with its country and area. */
function readPhones(person: XmlElement | undefined): readonly [phone: string | undefined, mobile: string | undefined] {
  const phones = listChildren(person, "Telephone").flatMap((telephone) => {
    const [type, number] = [attribute(telephone, "PhoneTechType"), toPhone(telephone)];
    return number === undefined || type === FAX ? [] : [{ number, isMobile: type === MOBILE }];
  });
  const phone = phones.find(({ isMobile }) => !isMobile) ?? phones[0];
  const others = phones.filter((other) => other !== phone);
  const mobile = others.find(({ isMobile }) => isMobile) ?? others[0];
  return [phone?.number, mobile?.number];
}

function toPhone(telephone: XmlElement): string | undefined {
  const number = attribute(telephone, "PhoneNumber")?.trim();
  if (number === undefined || /^(?:\+|00)/.test(number)) return number;
  const code = attribute(telephone, "CountryAccessCode") ?? attribute(telephone, "CountryCode");
  const country = code?.replaceAll(/\D/g, "").replace(/^0+/, "");
  const area = attribute(telephone, "AreaCityCode")?.trim() ?? "";
  // The zero before an area is only dialled within a country, except in Italy.
  return country ? `+${country}${country === "39" ? area : area.replace(/^0/, "")}${number}` : `${area}${number}`;
}

const findDocument = (person: XmlElement | undefined, isWanted: (type: string) => boolean) =>
  listChildren(person, "Document").find((item) => isWanted(attribute(item, "DocType") ?? ""));
const findIdentity = (person: XmlElement | undefined) => findDocument(person, (type) => !OTHER_DOCUMENTS.has(type));

// Returns the address that the client marked as the usual one, otherwise the first.
function findEmail(person: XmlElement | undefined): string | undefined {
  const emails = listChildren(person, "Email").filter((element) => getElementText(element) !== undefined);
  const usual = emails.find((element) => /^(?:true|1)$/.test(attribute(element, "DefaultInd") ?? "")) ?? emails[0];
  return usual && getElementText(usual);
}

// Returns a person's identity data, under the names of contract data without their prefix.
function readIdentity(person: XmlElement | undefined): Members {
  const [document, licence] = [findIdentity(person), findDocument(person, (type) => type === DRIVING_LICENCE)];
  return {
    date_of_birth: attribute(person, "BirthDate"),
    nacionality: attribute(findElementByPath(person, "CitizenCountryName"), "Code"), // sic
    origin_country: attribute(document, "DocIssueCountry"),
    document_id_date: attribute(document, "EffectiveDate"),
    document_id_expiration_date: attribute(document, "ExpireDate"),
    driving_license_number: attribute(licence, "DocID"),
    driving_license_country: attribute(licence, "DocIssueCountry"),
    driving_license_date: attribute(licence, "EffectiveDate"),
    driving_license_expiration_date: attribute(licence, "ExpireDate"),
  };
}

// `StreetNmbr` contains the house number if there are address lines. Otherwise it contains the street.
function readAddress(address: XmlElement | undefined): Members {
  const lines = listChildren(address, "AddressLine").flatMap((line) => getElementText(line)?.trim() ?? []);
  const [number, state] = [
    getElementText(findElementByPath(address, "StreetNmbr")),
    findElementByPath(address, "StateProv"),
  ];
  return {
    street: lines.length > 0 ? lines.join(", ") : number,
    number: lines.length > 0 ? number : undefined,
    complement: getElementText(findElementByPath(address, "BldgRoom")),
    city: getElementText(findElementByPath(address, "CityName")),
    zip: getElementText(findElementByPath(address, "PostalCode")),
    state: getElementText(state),
    state_code: attribute(state, "StateCode"),
    country:
      attribute(findElementByPath(address, "CountryName"), "Code") ??
      getElementText(findElementByPath(address, "CountryName")),
  };
}

function readAdditionalDriver(person: XmlElement): Members {
  const [phone, mobile] = readPhones(person);
  return {
    name: joinTexts(person, "GivenName", "MiddleName"),
    surname: joinTexts(person, "SurnamePrefix", "Surname"),
    email: findEmail(person),
    phone: phone ?? mobile,
    document_id: attribute(findIdentity(person), "DocID"),
    ...readIdentity(person),
  };
}

// A flight may be written as its number and the code of its airline.
function readFlight(arrival: XmlElement | undefined): Members {
  if ((attribute(arrival, "TransportationCode") ?? PLANE) !== PLANE) return {};
  const company = findElementByPath(arrival, "OperatingCompany") ?? findElementByPath(arrival, "MarketingCompany");
  const [number, code] = [attribute(arrival, "Number")?.trim(), attribute(company, "Code")?.trim()];
  return {
    flight_number: number !== undefined && /^\d+$/.test(number) ? `${code ?? ""}${number}` : number,
    flight_company: attribute(company, "CompanyShortName") ?? getElementText(company)?.trim() ?? code,
    flight_time: /T(\d{2}:\d{2})/.exec(attribute(arrival, "ArrivalDateTime") ?? "")?.[1],
  };
}

const withPrefix = (prefix: string, members: Members): Members =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${prefix}${name}`, value]));

function toContractData(customer: XmlElement | undefined, info: XmlElement | undefined): Members | undefined {
  const person = findElementByPath(customer, "Primary");
  const data = omitUndefined({
    customer_mobile_phone: readPhones(person)[1],
    ...withPrefix("customer_", readIdentity(person)),
    ...withPrefix("customer_address_", readAddress(findElementByPath(person, "Address"))),
    ...Object.assign(
      {},
      ...listChildren(customer, "Additional").map((additional, index) =>
        withPrefix(`additional_driver_${index + 1}_`, readAdditionalDriver(additional)),
      ),
    ),
    ...readFlight(findElementByPath(info, "ArrivalDetails")),
  });
  return Object.keys(data).length === 0 ? undefined : data;
}

/** Returns the category of a vehicle preference. Several categories may share an ACRISS code. */
export function getCategoryCode(preference: XmlElement): string | undefined {
  const own =
    attribute(preference, "VendorCarType") ?? attribute(findElementByPath(preference, "VehMakeModel"), "Code");
  const code = attribute(preference, "Code");
  return attribute(preference, "CodeContext") === "ACRISS" ? (own ?? code) : (code ?? own);
}

/** Returns the maximum number of vehicles in the answer. Undefined if not set, NaN if it isn't a number above zero. */
export function readMaxResponses(root: XmlElement): number | undefined {
  const text = attribute(root, "MaxResponses");
  return text === undefined ? undefined : /^[1-9]\d{0,3}$/.test(text) ? Number(text) : Number.NaN;
}

/** Converts a VehModify request to the change of the agency API. Absent members stay. */
export function toAgencyChangeBody(root: XmlElement, context: MessageContext): Members {
  const core = findElementByPath(root, "VehModifyRQCore");
  const { products, extras, customer_language: _, ...members } = readReservation(root, core, context);
  const { promotionCode } = readRateQualifiers(core, "");
  return {
    reservation: {
      ...members,
      ...(listChildren(core, "VehPref").length > 0 && { products }),
      // The booking's extras consist of both lists: special equipment and coverages.
      ...((findElementByPath(core, "SpecialEquipPrefs") || findCoveragePrefs(root)) && { extras }),
      // An empty promotion code in the message removes the booking's promotion code.
      ...(promotionCode === "" && { promotion_code: promotionCode }),
    },
  };
}

/** Converts a VehRes request to the booking body of the agency API. */
export function toAgencyBookingBody(root: XmlElement, context: MessageContext): Members {
  return { reservation: readReservation(root, findElementByPath(root, "VehResRQCore"), context) };
}

const findInfo = (root: XmlElement) => findElementByPath(root, root.name.replace(/^OTA_(.+)RQ$/, "$1RQInfo"));
const findCoveragePrefs = (root: XmlElement) => findElementByPath(findInfo(root), "CoveragePrefs");

/** Reads the coverages that a booking or its change requests for the first vehicle. */
export function readRequestedCoverages(root: XmlElement, { extras, categories }: MessageContext) {
  const core = findElementByPath(root, root.name.replace(/^OTA_/, "").concat("Core"));
  const [preference] = listChildren(core, "VehPref");
  return readCoverages(findInfo(root), extras, categories.get((preference && getCategoryCode(preference)) ?? ""));
}

function readReservation(root: XmlElement, core: XmlElement | undefined, context: MessageContext) {
  const { dateFrom, timeFrom, dateTo, timeTo, pickup, back } = parseRental(
    findElementByPath(core, "VehRentalCore"),
    context,
  );
  const person = findElementByPath(core, "Customer", "Primary");
  const age = attribute(findElementByPath(core, "DriverType"), "Age");
  const info = findInfo(root);
  const requests = listChildren(info, "SpecialReqPref").flatMap(
    (preference) => getElementText(preference)?.trim() ?? [],
  );
  return omitUndefined({
    agency_reservation_id: parseAgencyReference(core),
    date_from: dateFrom,
    time_from: timeFrom,
    date_to: dateTo,
    time_to: timeTo,
    pickup_place: parseNumber(pickup),
    return_place: parseNumber(back),
    customer_name: joinTexts(person, "GivenName", "MiddleName"),
    customer_surname: joinTexts(person, "SurnamePrefix", "Surname"),
    customer_email: findEmail(person),
    customer_phone_number: readPhones(person)[0],
    customer_document_id: attribute(findIdentity(person), "DocID"),
    contract_data: toContractData(findElementByPath(core, "Customer"), info),
    comments: requests.join("\n"),
    customer_language: attribute(root, "PrimaryLangID")?.slice(0, 2).toLowerCase(),
    driver_age: age === undefined ? undefined : parseNumber(age),
    promotion_code: readRateQualifiers(core, "").promotionCode,
    products: listChildren(core, "VehPref").map((xmlElement) =>
      omitUndefined({ code: getCategoryCode(xmlElement), quantity: 1 }),
    ),
    extras: [
      ...listChildren(findElementByPath(core, "SpecialEquipPrefs"), "SpecialEquipPref").map((xmlElement) =>
        omitUndefined({
          code: resolveEquipmentType(attribute(xmlElement, "EquipType"), context.extras),
          quantity: parseNumber(attribute(xmlElement, "Quantity") ?? "1"),
        }),
      ),
      ...readRequestedCoverages(root, context).codes.map((code) => ({ code, quantity: 1 })),
    ],
  });
}

/** Criteria of a location search. Absent ones match all places. */
export interface LocationCriteria {
  /** Place id or IATA code. */
  readonly code: string | undefined;
  readonly city: string | undefined;
  readonly zip: string | undefined;
  readonly country: string | undefined;
}

const CRITERIA = new Set(["Address", "CodeRef"]);
const ADDRESS_CRITERIA = new Set(["CityName", "PostalCode", "CountryName"]);

/** Reads the criteria of a location search. Returns those that can't be honoured as problems. */
export function readLocationCriteria(root: XmlElement) {
  const criterion = findElementByPath(root, "VehLocSearchCriterion");
  const address = findElementByPath(criterion, "Address");
  const path = `/${root.name}/VehLocSearchCriterion`;
  const unknown = [
    ...listUnknown(criterion, CRITERIA).map((name) => `${path}/${name}`),
    ...listUnknown(address, ADDRESS_CRITERIA).map((name) => `${path}/Address/${name}`),
  ];
  const criteria: LocationCriteria = {
    code: attribute(findElementByPath(criterion, "CodeRef"), "LocationCode"),
    city: getElementText(findElementByPath(address, "CityName")),
    zip: getElementText(findElementByPath(address, "PostalCode")),
    country: attribute(findElementByPath(address, "CountryName"), "Code"),
  };
  return { criteria, problems: unknown.map((field) => createProblem(field, "unknown_field")) };
}

const listUnknown = (element: XmlElement | undefined, known: ReadonlySet<string>) =>
  (element?.children ?? []).map(({ name }) => name).filter((name) => !known.has(name));

/** Lists the public places that match the criteria. */
export function findLocations(places: readonly Place[], { code, city, zip, country }: LocationCriteria) {
  const isSame = (criterion: string | undefined, value: string | null | undefined) =>
    criterion === undefined || criterion.trim().toLowerCase() === value?.trim().toLowerCase();
  return places.filter(
    ({ id, iata, location }) =>
      (code === String(id) || isSame(code, iata)) &&
      isSame(city, location?.city) &&
      isSame(zip, location?.zip) &&
      isSame(country, location?.country),
  );
}

/** Returns the category whose rate rules a message asks for. */
export function readRateRulesCategory(info: XmlElement | undefined): string | undefined {
  const preference = findElementByPath(info, "VehicleInfo", "VehPref") ?? findElementByPath(info, "VehPref");
  return (
    attribute(findElementByPath(info, "RateQualifier"), "RateQualifier") ?? (preference && getCategoryCode(preference))
  );
}

/** Returns the agency's own reference of a VehRes, VehCancel or VehRetRes. Of several ids, the one of type 16. */
export function parseAgencyReference(core: XmlElement | undefined): string | undefined {
  const ids = listChildren(core, "UniqueID");
  return attribute(ids.find((id) => attribute(id, "Type") === REFERENCE) ?? ids[0], "ID");
}

// Invalid numbers stay text, so that validation rejects them by field name.
function parseNumber(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : text;
}
