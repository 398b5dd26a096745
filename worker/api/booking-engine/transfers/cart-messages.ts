import { z } from "zod";
import type { SignedInCustomer } from "#domain/access/sessions.ts";
import type { WithCartVersion } from "#domain/bookings/carts.ts";
import type { TransferCartView } from "#domain/transfers/carts.ts";
import type { TransferSearch } from "#domain/transfers/terms.ts";
import { cancellationFields, toCancellationMessage } from "#worker/api/booking-engine/shared/cancellation-messages.ts";
import {
  booleanOrText,
  engineQuery,
  expectedCartVersionSchema,
  idOrIdTextSchema,
  integerBetweenSchema,
  type RequestMoment,
  toVisitSource,
  type Visitor,
  visitSourceFields,
  websiteDateSchema,
  websiteTimeSchema,
} from "#worker/api/booking-engine/shared/messages.ts";
import {
  salesProcessAnswer,
  toCartSalesProcessMessage,
} from "#worker/api/booking-engine/shared/sales-process-messages.ts";
import { textLineSchema } from "#worker/api/primitives.ts";
import {
  toTransferExtraOffersMessage,
  toTransferVehicleOfferMessage,
  transferExtraOfferAnswer,
  transferVehicleOfferAnswer,
} from "./offer-messages.ts";
import { type PresentedTransfer, toTransferMessage, transferFields } from "./trip-messages.ts";

// spec: docs/interfaces/booking-engine-transfers.md, search and cart.

export const transferCartQuery = engineQuery.extend({
  include_products: booleanOrText.optional(),
  include_extras: booleanOrText.optional(),
  include_sales_process: booleanOrText.optional(),
});
export type TransferCartQuery = z.output<typeof transferCartQuery>;

const person = integerBetweenSchema(0, 99);
// Websites send the text «null» if no point is selected.
const chosenPoint = z.union([z.literal("null").transform(() => undefined), idOrIdTextSchema]);

/** Some clients send `rountrip`, existing websites `round_trip`. Return values of a one-way transfer are ignored. */
export const transferSearchBody = z
  .object({
    date: websiteDateSchema,
    time: websiteTimeSchema,
    origin_point_id: idOrIdTextSchema,
    destination_point_id: idOrIdTextSchema,
    round_trip: booleanOrText.optional(),
    rountrip: booleanOrText.optional(), // sic
    return_date: websiteDateSchema.optional(),
    return_time: websiteTimeSchema.optional(),
    return_origin_point_id: chosenPoint.optional(),
    return_destination_point_id: chosenPoint.optional(),
    number_of_adults: person.default(1 as never),
    number_of_children: person.default(0 as never),
    number_of_infants: person.default(0 as never),
    include_products: booleanOrText.optional(),
    ...visitSourceFields,
  })
  .superRefine((body, context) => {
    if (!isRoundTrip(body)) return;
    for (const field of ["return_date", "return_time"] as const)
      if (body[field] === undefined)
        context.addIssue({ code: "custom", path: [field], message: "is required for a round trip" });
  });
export type TransferSearchRequest = z.input<typeof transferSearchBody>;

function isRoundTrip(body: { readonly round_trip?: boolean | undefined; readonly rountrip?: boolean | undefined }) {
  return body.round_trip ?? body.rountrip ?? false;
}

/** Converts a body to a search. A return without its own points mirrors the outward trip. */
export function toTransferSearch(body: z.output<typeof transferSearchBody>): TransferSearch {
  const { return_date: date, return_time: time } = body;
  return {
    outward: {
      date: body.date,
      time: body.time,
      originId: body.origin_point_id,
      destinationId: body.destination_point_id,
    },
    back:
      isRoundTrip(body) && date && time
        ? {
            date,
            time,
            originId: body.return_origin_point_id ?? body.destination_point_id,
            destinationId: body.return_destination_point_id ?? body.origin_point_id,
          }
        : undefined,
    people: {
      adults: body.number_of_adults,
      children: body.number_of_children,
      infants: body.number_of_infants,
    },
    agentId: body.agent_id,
    visit: toVisitSource(body),
  };
}

export const transferVehicleBody = z.object({ product: idOrIdTextSchema, expected_version: expectedCartVersionSchema });
export type TransferProductRequest = z.input<typeof transferVehicleBody>;
export const transferExtraBody = z.object({
  extra: z.union([z.number().transform(String), textLineSchema(30)], "must be the id or the code of an extra"),
  quantity: integerBetweenSchema(0, 99).optional(),
  expected_version: expectedCartVersionSchema,
});
export type TransferExtraRequest = z.input<typeof transferExtraBody>;

export const transferCartAnswer = z.object({
  shopping_cart: z
    .object({
      ...transferFields,
      version: z.int(),
      customer_language: z.string(),
      engine_modify_dates: z.boolean(),
      has_phone: z.boolean().meta({
        description: "Addition: whether the account of the signed-in customer has a telephone number",
      }),
      ...cancellationFields,
    })
    .meta({ id: "TransferShoppingCart" }),
  products: z.array(transferVehicleOfferAnswer).optional(),
  extras: z.array(transferExtraOfferAnswer).optional(),
  sales_process: salesProcessAnswer,
});
export type TransferCartMessage = z.output<typeof transferCartAnswer>;

/** Converts a transfer cart, with the content requested by the query. */
export function toTransferCartMessage(
  view: WithCartVersion<TransferCartView>,
  query: TransferCartQuery & { readonly customer: Pick<SignedInCustomer, "phone"> | undefined },
  { civil, origin }: RequestMoment,
): z.output<typeof transferCartAnswer> {
  const { catalogue, offers = [] } = view;
  const { settings } = catalogue;
  const visitor: Visitor = { language: query.lang ?? settings.defaultLanguage, origin };
  return {
    shopping_cart: {
      ...toTransferMessage(toTransferAnswer(view), catalogue, visitor),
      version: view.version,
      customer_language: visitor.language,
      engine_modify_dates: true,
      has_phone: Boolean(query.customer?.phone),
      ...describeCancellation(view, civil),
    },
    ...(query.include_products && {
      products: offers.map((offer) =>
        toTransferVehicleOfferMessage(offer, visitor, {
          decimals: settings.currencyDecimals,
          discount: view.draft.discount,
        }),
      ),
    }),
    ...(query.include_extras && { extras: toTransferExtraOffersMessage(view, visitor) }),
    sales_process: toCartSalesProcessMessage(view, civil),
  };
}

function describeCancellation({ catalogue, draft: { terms, totals } }: TransferCartView, now: RequestMoment["civil"]) {
  const [{ date, time }] = terms.trips;
  const period = { dateFrom: date, timeFrom: time };
  return toCancellationMessage(catalogue, { period, totals, days: 1, salesChannel: undefined }, now);
}

function toTransferAnswer({ cart, draft }: TransferCartView): PresentedTransfer {
  return {
    freeAccessId: cart.freeAccessId,
    people: draft.terms.people,
    trips: draft.terms.trips.map(({ date, time, origin, destination }) => ({
      date,
      time,
      originId: origin.id,
      originName: origin.name,
      destinationId: destination.id,
      destinationName: destination.name,
    })),
    vehicle: draft.vehicle,
    totals: draft.totals,
    discount: draft.discount,
    extras: draft.extras.map(({ extra, ...sums }) => ({ ...sums, id: extra.id, name: extra.name })),
    supplements: draft.supplements.map(({ supplement: { id, name }, cents }) => ({ id, name, cents })),
    details: {},
  };
}
