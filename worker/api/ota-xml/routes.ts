import type { Context } from "hono";
import { Hono } from "hono";
import type { z } from "zod";
import type { RentalBooking } from "#domain/bookings/bookings.ts";
import { findPromotionCodeProblem } from "#domain/bookings/promotion.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { createProblem, type Problem } from "#domain/problems.ts";
import { findElementByPath, listChildren, PARTNER_XML_RULES, parseXml } from "#domain/xml.ts";
import { getAgency } from "#worker/api/agency.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { createErrorHandler } from "#worker/api/error-handler.ts";
import {
  createInvalidFieldsFailure,
  createInvalidInputFailure,
  createMethodNotAllowedFailure,
  type Failure,
  failures,
} from "#worker/api/failure.ts";
import { toFieldProblems } from "#worker/api/input-problems.ts";
import * as availability from "#worker/api/ota/availability-messages.ts";
import * as bookings from "#worker/api/ota/booking-messages.ts";
import { toOtaChangeFailure, toOtaFailure } from "#worker/api/ota/errors.ts";
import * as messages from "#worker/api/ota/messages.ts";
import { limitBodySize } from "#worker/api/request-body.ts";
import { requirePartnerSignature } from "#worker/api/signed.ts";
import { decodeXml, writeXmlElement } from "#worker/api/xml-text.ts";
import { getOrigin } from "#worker/tenancy/request-url.ts";
import { cancelAgencyBooking, readAgencyBooking } from "#worker/usecases/bookings/agency-booking.ts";
import { bookForAgency } from "#worker/usecases/bookings/book-for-agency.ts";
import { searchAgencyAvailability } from "#worker/usecases/bookings/search-availability.ts";
import { listPlaces } from "#worker/usecases/catalogue/list-places.ts";
import { changeAgencyBooking } from "#worker/usecases/contracts/agency-change.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import {
  type SellingAccount,
  toAgencyReservationXml,
  toAvailabilityXml,
  toLocationsXml,
  toRateRulesXml,
} from "./answers.ts";
import { otaBookingBody, otaChangeBody, toOtaXmlAgencyChange, toOtaXmlBookingRequest } from "./booking-messages.ts";
import { filterAndSortByPreferences, listUnmetPreferences, readVehiclePreferences } from "./preferences.ts";
import { filterByRate, listUnknownRates, matchesRate, readRateQualifiers } from "./rate-qualifiers.ts";
import {
  findLocations,
  getCategoryCode,
  type MessageContext,
  parseAgencyReference,
  readLocationCriteria,
  readMaxResponses,
  readRateRulesCategory,
  readRequestedCoverages,
  toAgencyBookingBody,
  toAgencyChangeBody,
  toAvailabilityQuery,
  toLanguageMembers,
} from "./requests.ts";
import {
  answerError,
  answerSuccess,
  type OtaRequest,
  toOtaXmlErrorResponse,
  UNKNOWN_MESSAGE_ROOT,
} from "./responses.ts";
import { toPricedVehicle } from "./vehicles.ts";

type OtaContext = Context<AppEnvironment>;

const MAX_RESPONSES = 9999;

/** Validates data read from XML with the agency API's schemas, so that fields and limits are the same. */
async function read<T extends z.ZodType>(
  otaRequest: OtaRequest,
  schema: T,
  rawInput: unknown,
  use: (value: z.output<T>) => Promise<Response>,
): Promise<Response> {
  const parsed = schema.safeParse(rawInput);
  if (parsed.success) return use(parsed.data);
  return answerError(otaRequest, createInvalidInputFailure(toFieldProblems(parsed.error.issues, rawInput)));
}

function getSeller(
  { settings, categories, extras }: Catalogue,
  driverAgeRule: SellingAccount["driverAgeRule"],
): SellingAccount {
  return { ...settings, categories, extras, driverAgeRule };
}

interface FoundBooking {
  readonly booking: RentalBooking;
  readonly catalogue: Catalogue;
}

function toReservationXml({ booking, catalogue }: FoundBooking): string {
  const message = bookings.toAgencyBookingMessage(booking, catalogue);
  const driverAgeRule = catalogue.driverAgeRules.find(({ id }) => id === booking.driverAgeRuleId);
  return toAgencyReservationXml(message, getSeller(catalogue, driverAgeRule));
}

async function getMessageContext(c: OtaContext): Promise<MessageContext> {
  const { settings, places, extras, categories } = (await c.get("tenant").snapshot()).catalogue;
  return { timezone: settings.timezone, places: [...places.values()], extras, categories };
}

async function search(otaRequest: OtaRequest): Promise<Response> {
  const { c, root } = otaRequest;
  const path = `/${root.name}/VehAvailRQCore`;
  const { preferences, problems } = readVehiclePreferences(
    findElementByPath(root, "VehAvailRQCore", "VehPrefs"),
    `${path}/VehPrefs`,
  );
  const rates = readRateQualifiers(findElementByPath(root, "VehAvailRQCore"), path);
  const max = readMaxResponses(root);
  const invalidMax = Number.isNaN(max) ? [createProblem(`/${root.name}/@MaxResponses`, "whole", 1, MAX_RESPONSES)] : [];
  const allProblems = [...invalidMax, ...problems, ...rates.problems];
  if (allProblems.length > 0) return answerError(otaRequest, createInvalidFieldsFailure(allProblems));
  const rawInput = toAvailabilityQuery(root, findElementByPath(root, "VehAvailRQCore"), await getMessageContext(c));
  return read(otaRequest, availability.agencyAvailabilityQuery, rawInput, async (query) => {
    const { tenant, now, partner } = c.var;
    const request = availability.toRentalRequest(query, partner.agency?.salesChannel);
    const searchResult = await searchAgencyAvailability(tenant, request, { now, partner });
    if (!searchResult.ok) return answerError(otaRequest, toOtaFailure(searchResult.error, "query"));
    const availabilityMessage = availability.toAvailabilityMessage(
      searchResult.value,
      query["customer-language"],
      getOrigin(c.req.url),
    );
    const { products } = availabilityMessage;
    const unknownRates = listUnknownRates(rates.qualifiers, products);
    if (unknownRates.length > 0) return answerError(otaRequest, createInvalidFieldsFailure(unknownRates));
    const accepted = filterAndSortByPreferences(preferences, filterByRate(rates.qualifiers, products));
    if (accepted.length === 0 && preferences.length > 0) return answerError(otaRequest, NO_PREFERRED_VEHICLE);
    const { catalogue, terms } = searchResult.value;
    const kilometres = (code: string) => catalogue.categories.get(code)?.kilometresPerDay;
    const answered = { ...availabilityMessage, products: limitProducts(accepted, max) };
    return answerSuccess(
      otaRequest,
      toAvailabilityXml(answered, getSeller(catalogue, terms.driverAgeRule), kilometres),
    );
  });
}

const NO_PREFERRED_VEHICLE: Failure = {
  status: 404,
  code: "no_availability",
  message: "No vehicle meets the preferences",
};

// If the client limits the number of products, the answer prefers available ones.
function limitProducts<T extends { readonly available: boolean }>(
  products: readonly T[],
  max: number | undefined,
): T[] {
  if (max === undefined) return [...products];
  return products.toSorted((a, b) => Number(b.available) - Number(a.available)).slice(0, max);
}

/** Lists vehicle preferences of a sale that can't be honoured, or that contradict the requested category. */
async function listVehicleProblems({ c, root }: OtaRequest, at: string): Promise<readonly Problem[]> {
  const core = findElementByPath(root, at);
  const path = `/${root.name}/${at}`;
  const { preferences, problems } = readVehiclePreferences(core, path);
  const { categories } = (await c.get("tenant").snapshot()).catalogue;
  const contradictions = listChildren(core, "VehPref").flatMap((element, index) => {
    const [code, preference] = [getCategoryCode(element), preferences[index]];
    const category = categories.get(code ?? "");
    const elementPath = `${path}/VehPref[${index + 1}]`;
    if (!preference) return [];
    if (category) return listUnmetPreferences(preference, toPricedVehicle(category), elementPath);
    // Preferences can only be checked against a category, so a message with preferences must name one.
    const isVague = code === undefined && preference.criteria.length > 0;
    return isVague ? [createProblem(`${elementPath}/@Code`, "missing")] : [];
  });
  const rates = readRateQualifiers(core, path);
  const booked = listChildren(core, "VehPref").flatMap(
    (element) => categories.get(getCategoryCode(element) ?? "") ?? [],
  );
  const otherRates = booked.length > 0 ? listUnknownRates(rates.qualifiers, booked.map(toPricedVehicle)) : [];
  return [...problems, ...contradictions, ...rates.problems, ...otherRates];
}

async function book(otaRequest: OtaRequest): Promise<Response> {
  const { c, root } = otaRequest;
  const context = await getMessageContext(c);
  const problems = [
    ...(await listVehicleProblems(otaRequest, "VehResRQCore")),
    ...readRequestedCoverages(root, context).problems,
  ];
  if (problems.length > 0) return answerError(otaRequest, createInvalidFieldsFailure(problems));
  return read(otaRequest, otaBookingBody, toAgencyBookingBody(root, context), async (body) => {
    const { tenant, now, partner } = c.var;
    const agency = getAgency(partner);
    const request = toOtaXmlBookingRequest(body, agency.salesChannel);
    const booked = await bookForAgency(tenant, agency, request, { now, freeAccessId: createFreeAccessId() });
    if (!booked.ok) return answerError(otaRequest, toOtaFailure(booked.error, "body"));
    return answerSuccess(otaRequest, writeXmlElement("VehResRSCore", {}, toReservationXml(booked.value)));
  });
}

function readReservation(otaRequest: OtaRequest): Promise<Response> {
  const { c, root } = otaRequest;
  const rawInput = { "agency-reservation-id": parseAgencyReference(findElementByPath(root, "VehRetResRQCore")) };
  return read(otaRequest, bookings.agencyReferenceQuery, rawInput, async (query) => {
    const searchResult = await readAgencyBooking(
      c.get("tenant"),
      getAgency(c.get("partner")),
      query["agency-reservation-id"],
    );
    if (!searchResult.ok) return answerError(otaRequest, toOtaFailure(searchResult.error, "query"));
    return answerSuccess(otaRequest, writeXmlElement("VehRetResRSCore", {}, toReservationXml(searchResult.value)));
  });
}

function cancel(otaRequest: OtaRequest): Promise<Response> {
  const { c, root } = otaRequest;
  const rawInput = {
    reservation: { agency_reservation_id: parseAgencyReference(findElementByPath(root, "VehCancelRQCore")) },
  };
  return read(otaRequest, bookings.agencyCancellationBody, rawInput, async ({ reservation }) => {
    const { tenant, now, partner } = c.var;
    const reference = reservation.agency_reservation_id;
    const cancelled = await cancelAgencyBooking(tenant, getAgency(partner), reference, now);
    if (!cancelled.ok) return answerError(otaRequest, toOtaChangeFailure(cancelled.error));
    const core = writeXmlElement(
      "VehCancelRSCore",
      { CancelStatus: "Cancelled" },
      writeXmlElement("UniqueID", { Type: 15, ID: reference }),
    );
    return answerSuccess(otaRequest, core);
  });
}

/** Lists the public places that match the criteria of a message. */
async function searchLocations(otaRequest: OtaRequest): Promise<Response> {
  const { c, root } = otaRequest;
  const { criteria, problems } = readLocationCriteria(root);
  if (problems.length > 0) return answerError(otaRequest, createInvalidFieldsFailure(problems));
  return read(otaRequest, messages.agencyPlacesQuery, toLanguageMembers(root), async (query) => {
    const listed = await listPlaces(c.get("tenant"), undefined);
    if (!listed.ok) return answerError(otaRequest, toOtaFailure(listed.error, "placesQuery"));
    const { places, catalogue } = listed.value;
    const locations = messages.toAgencyPlacesMessage(
      findLocations(places, criteria),
      catalogue,
      query["customer-language"],
    );
    return locations.length === 0
      ? answerError(otaRequest, NO_LOCATION)
      : answerSuccess(otaRequest, toLocationsXml(locations));
  });
}

const NO_LOCATION: Failure = { status: 404, code: "location_not_found", message: "No place meets the criteria" };

/** Returns price, cancellation terms and deposits of one category for a rental. */
async function readRateRules(otaRequest: OtaRequest): Promise<Response> {
  const { c, root } = otaRequest;
  const info = findElementByPath(root, "RentalInfo");
  const code = readRateRulesCategory(info);
  const qualifier = `/${root.name}/RentalInfo/RateQualifier/@RateQualifier`;
  if (code === undefined)
    return answerError(otaRequest, createInvalidFieldsFailure([createProblem(qualifier, "missing")]));
  const problems = await listVehicleProblems(otaRequest, "RentalInfo");
  if (problems.length > 0) return answerError(otaRequest, createInvalidFieldsFailure(problems));
  const rawInput = toAvailabilityQuery(root, info, await getMessageContext(c));
  return read(otaRequest, availability.agencyAvailabilityQuery, rawInput, async (query) => {
    const { tenant, now, partner } = c.var;
    const request = availability.toRentalRequest(query, partner.agency?.salesChannel);
    const searchResult = await searchAgencyAvailability(tenant, request, { now, partner });
    if (!searchResult.ok) return answerError(otaRequest, toOtaFailure(searchResult.error, "query"));
    const { catalogue, terms } = searchResult.value;
    const offer = availability.toAvailabilityMessage(
      searchResult.value,
      query["customer-language"],
      getOrigin(c.req.url),
    );
    const product = offer.products.find((item) => matchesRate(code, item));
    if (!product)
      return answerError(otaRequest, createInvalidFieldsFailure([createProblem(qualifier, "no_product", code)]));
    const wrongCode =
      terms.promotionCode && findPromotionCodeProblem(catalogue, terms, terms.promotionCode, [product.code]);
    if (wrongCode) return answerError(otaRequest, toOtaFailure(wrongCode, "query"));
    const kilometres = catalogue.categories.get(product.code)?.kilometresPerDay;
    const seller = getSeller(catalogue, terms.driverAgeRule);
    return answerSuccess(otaRequest, ...toRateRulesXml(offer, product, seller, kilometres));
  });
}

const MODIFY = "Modify";

/** Changes a booking. Absent elements stay as they are. */
async function modify(otaRequest: OtaRequest): Promise<Response> {
  const { c, root } = otaRequest;
  const type = findElementByPath(root, "VehModifyRQCore")?.attributes["ModifyType"] ?? MODIFY;
  const path = `/${root.name}/VehModifyRQCore/@ModifyType`;
  if (type !== MODIFY)
    return answerError(otaRequest, createInvalidFieldsFailure([createProblem(path, "choice", MODIFY)]));
  const context = await getMessageContext(c);
  const problems = [
    ...(await listVehicleProblems(otaRequest, "VehModifyRQCore")),
    ...readRequestedCoverages(root, context).problems,
  ];
  if (problems.length > 0) return answerError(otaRequest, createInvalidFieldsFailure(problems));
  return read(otaRequest, otaChangeBody, toAgencyChangeBody(root, context), async (body) => {
    const { tenant, now, partner } = c.var;
    const changed = await changeAgencyBooking(tenant, getAgency(partner), toOtaXmlAgencyChange(body), now);
    if (!changed.ok) return answerError(otaRequest, toOtaChangeFailure(changed.error));
    const reservation = toReservationXml(changed.value);
    return answerSuccess(otaRequest, writeXmlElement("VehModifyRSCore", { ModifyStatus: "Modified" }, reservation));
  });
}

const MESSAGES: Readonly<Record<string, (otaRequest: OtaRequest) => Promise<Response>>> = {
  OTA_VehAvailRateRQ: search,
  OTA_VehResRQ: book,
  OTA_VehCancelRQ: cancel,
  OTA_VehRetResRQ: readReservation,
  OTA_VehModifyRQ: modify,
  OTA_VehLocSearchRQ: searchLocations,
  OTA_VehRateRuleRQ: readRateRules,
};

/** OpenTravel messages for rentals, using the same use cases as the agency API. */
export const otaXmlRoutes = new Hono<AppEnvironment>();
otaXmlRoutes.onError(createErrorHandler(toOtaXmlErrorResponse));

otaXmlRoutes.post(
  "/",
  limitBodySize(toOtaXmlErrorResponse),
  requirePartnerSignature("ota", toOtaXmlErrorResponse),
  async (c) => {
    if (!/^(?:text|application)\/xml\b/i.test(c.req.header("Content-Type") ?? ""))
      return toOtaXmlErrorResponse(c, {
        status: 415,
        code: "not_xml",
        message: "The body must be XML, with Content-Type: application/xml",
      });
    const text = decodeXml(await c.req.arrayBuffer(), c.req.header("Content-Type") ?? "");
    if (text === undefined)
      return toOtaXmlErrorResponse(c, {
        status: 400,
        code: "malformed_request",
        message: "The body is not in the encoding that it declares, or in none that is read here: send UTF-8",
      });
    const root = parseXml(text, PARTNER_XML_RULES);
    if (!root)
      return toOtaXmlErrorResponse(c, {
        status: 400,
        code: "malformed_request",
        message: "The body isn't valid XML. Document types and entities aren't allowed",
      });
    const serve = Object.hasOwn(MESSAGES, root.name) ? MESSAGES[root.name] : undefined;
    if (!serve)
      return answerError(
        { c, root, answer: UNKNOWN_MESSAGE_ROOT },
        createInvalidFieldsFailure([createProblem(root.name, "choice", Object.keys(MESSAGES).join(", "))]),
      );
    c.set("operation", root.name);
    const otaRequest = { c, root, answer: root.name.replace(/RQ$/, "RS") };
    return serve(otaRequest);
  },
);
otaXmlRoutes.all("/", (c) => toOtaXmlErrorResponse(c, createMethodNotAllowedFailure(["POST"])));
otaXmlRoutes.all("/*", (c) => toOtaXmlErrorResponse(c, failures.unknownPath));
