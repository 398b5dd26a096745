import { randomUUID } from "node:crypto";
import type { Random } from "#scripts/demo/random.ts";
import { type AccountName, type Client, parseJson } from "#tools/platform/client.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import { listPendingUnits, type PendingUnit } from "#tools/platform/pending-units.ts";
import { createRandomPhoto } from "#tools/platform/photo.ts";
import { buildRedsysNotice } from "#tools/platform/redsys-notice.ts";
import type { Caller, RequestRecipe } from "./caller.ts";
import type { KnownValues } from "./known-values.ts";
import type { Operation } from "./operations.ts";

const FUZZ_PASSWORD = "Fuzz-2026-secret!";
const MAX_STORED_VALUES = 200;
const MAX_DAYS_AHEAD = 14;

/** Data of an account before the first request. */
interface InitialState {
  readonly known: KnownValues;
  readonly units: readonly PendingUnit[];
  /** Token of a customer. */
  readonly customerToken: string;
  /** Emails sent by the platform: the latest text by recipient. */
  readonly mailbox: ReadonlyMap<string, string>;
}

/** An executed request with its response. */
interface Observation {
  readonly operation: Operation;
  readonly recipe: RequestRecipe | undefined;
  readonly text: string;
  readonly token: string | undefined;
}

/** Creates matching request parts. Undefined if the account has no suitable data. */
type Maker = (random: Random) => RequestRecipe | undefined;

// biome-ignore lint/suspicious/noExplicitAny: responses are compared with their document.
type Content = any;

/** Recipes of operations that never succeed with random values, from data that earlier requests created. */
export type Journeys = ReturnType<typeof createJourneys>;

export function createJourneys({ known, units, customerToken, mailbox }: InitialState) {
  const pools = new Map<string, unknown[]>();
  const unitsOut = new Set<number>();
  const getPool = (name: string) => pools.get(name) ?? [];
  const add = (name: string, value: unknown) =>
    value !== undefined && pools.set(name, [...getPool(name), value].slice(-MAX_STORED_VALUES));
  const pickKnown = (random: Random, name: string) => random.pick(known[name] ?? [""]);
  const useAny =
    (pool: string, build: (value: Content, random: Random) => RequestRecipe): Maker =>
    (random) =>
      getPool(pool).length === 0 ? undefined : build(random.pick(getPool(pool)), random);
  /** Uses a value that is valid once. */
  const useUp =
    (pool: string, build: (value: Content, random: Random) => RequestRecipe): Maker =>
    (random) => {
      const value = getPool(pool).pop();
      return value === undefined ? undefined : build(value, random);
    };
  const useBooking = (pool: string, body?: unknown) =>
    useAny(pool, (free_access_id) => ({ parameters: { free_access_id }, ...(body !== undefined && { body }) }));

  const searchRentals = (random: Random) => {
    const from = random.between(60, 400);
    const place = pickKnown(random, "pickup_place");
    const period = { date_from: getDateAfter(from), date_to: getDateAfter(from + random.between(3, 9)) };
    return { ...period, time_from: "10:00", time_to: "10:00", pickup_place: place, return_place: place };
  };
  const searchTransfers = (random: Random) => ({
    ...{ date: getDateAfter(random.between(60, 400)), time: "10:00", number_of_adults: 1 },
    ...{ origin_point_id: 1, destination_point_id: random.pick([3, 4, 5, 6, 9]) },
  });
  const createCartRecipes = (
    kind: "" | "Transfer",
    [search, product, extra]: readonly ((random: Random) => unknown)[],
  ): Readonly<Record<string, Maker>> => {
    const change = (body: ((random: Random) => unknown) | undefined) =>
      useAny(`${kind}carts`, (free_access_id, random) => ({ parameters: { free_access_id }, body: body?.(random) }));
    const customer = { customer_name: "Ana", customer_surname: "Fuzz", customer_email: "ana@example.com" };
    return {
      [`begin${kind}Cart`]: (random) => ({ body: search?.(random) }),
      [`read${kind}Cart`]: change(undefined),
      [`replace${kind}CartSearch`]: change(search),
      [`change${kind}CartSearch`]: change(search),
      [`set${kind}CartProduct`]: change((random) => ({ product: product?.(random) })),
      [`set${kind}CartExtra`]: change((random) => ({ extra: extra?.(random), quantity: 1 })),
      [`remove${kind}CartExtra`]: change((random) => ({ extra: extra?.(random) })),
      [`checkOut${kind}Cart`]: useUp(`${kind}filled`, (free_access_id) => ({
        ...{ parameters: { free_access_id }, body: customer },
      })),
    };
  };
  const pay: Maker = (random) =>
    useAny(random.pick(["bookings", "Transferbookings"]), (id) => ({
      body: { id, payment: "total", payment_method_id: "tpvA256" },
    }))(random);

  const recipes: Readonly<Record<string, Maker>> = {
    createBooking: (random) => {
      const { pickup_place, return_place, ...period } = searchRentals(random);
      const customer = { customer_name: "Ana", customer_surname: "Fuzz" };
      const reservation = {
        ...{ ...period, ...customer, pickup_place: Number(pickup_place), return_place: Number(return_place) },
        agency_reservation_id: `fuzz-${random.hex(12)}`,
        products: [{ code: pickKnown(random, "product"), quantity: 1 }],
        extras: random.chance(0.3) ? [{ code: pickKnown(random, "extra"), quantity: 1 }] : [],
      };
      return { body: { reservation } };
    },
    createReservation: (random) => {
      const { pickup_place: place, ...search } = searchRentals(random);
      const [pickup_place, category_code] = [Number(place), pickKnown(random, "product")];
      const customer = { name: "Ana", surname: "Fuzz", email: `fuzz-${random.hex(6)}@example.com` };
      const status = random.pick(["confirmed", "pending_confirmation"]);
      return { body: { ...search, pickup_place, return_place: pickup_place, category_code, customer, status } };
    },
    "ota readBooking": useAny("references", (reference) => ({ parameters: { "agency-reservation-id": reference } })),
    cancelBooking: useAny("references", (agency_reservation_id) => ({
      body: { reservation: { agency_reservation_id } },
    })),
    ...createCartRecipes("", [
      searchRentals,
      (random) => pickKnown(random, "product"),
      (random) => pickKnown(random, "extra"),
    ]),
    ...createCartRecipes("Transfer", [searchTransfers, (random) => random.between(1, 3), () => "SEAT"]),
    applyPromotionCode: useAny("carts", (free_access_id) => ({
      ...{ parameters: { free_access_id }, body: { promotion_code: "WELCOME10" } },
    })),
    "rental-engine readBooking": useBooking("bookings"),
    completeContract: useBooking("bookings", { flight_number: "IB3912", customer_name: "Eva" }),
    readExtra: (random) => ({ parameters: { code: pickKnown(random, "extra") } }),
    readReservation: useBooking("Transferbookings"),
    readReservationByPost: useBooking("Transferbookings", {}),
    cancelTransfer: useUp("transfers", (id) => ({ parameters: { id }, body: { reason: "fuzz" } })),
    listDestinationPoints: () => ({ parameters: { origin_point_id: 1 } }),
    readTransferVehicle: (random) => ({ parameters: { id: random.between(1, 3) } }),
    readTransferExtra: (random) => ({ parameters: { id: random.between(1, 3) } }),
    ...{ payRental: pay, payBooking: pay, payTransfer: pay, payTransferReservation: pay },
    notifyPayment: useAny("notices", (body) => ({ parameters: { gateway: "tpvA256" }, body })),
    showPayment: useAny("payments", (payment, random) => ({
      parameters: { outcome: random.pick(["ok", "cancel", "nok"]), payment },
    })),
    signUpCustomer: (random) => {
      const email = `fuzz-${random.hex(12)}@example.com`;
      return { body: { email, username: email, password: FUZZ_PASSWORD, name: "Ana", surname: "Fuzz" } };
    },
    signIn: useAny("people", (username) => ({ body: { username, password: FUZZ_PASSWORD } })),
    signOut: useUp("sessions", (token) => ({ token })),
    listRentals: () => ({ token: customerToken }),
    requestNewPassword: useAny("people", (username) => ({ body: { username } })),
    changePassword: () => {
      const link = /[?&]id=([A-Za-z0-9_-]+)/.exec([...mailbox.values()].at(-1) ?? "")?.[1];
      return link === undefined ? undefined : { body: { password: FUZZ_PASSWORD, password_forgotten_hash: link } };
    },
    sendOperations: (random) =>
      units.length === 0 ? undefined : createFieldWork(random.pick(units), unitsOut, random),
    resolveOperation: useUp("conflicts", (op_id, random) => ({
      ...{ parameters: { op_id }, body: { action: random.pick(["accept", "dismiss"]), note: "fuzz" } },
    })),
    keepFile: (random) => {
      const { hash, bytes } = createRandomPhoto(random);
      return { parameters: { id: pickKnown(random, "booking_id"), hash }, body: bytes };
    },
    readFile: useAny("files", (parameters) => ({ parameters })),
  };

  const observePayment = (_: Content, { text }: Observation) => {
    const { payment, fields } = buildRedsysNotice(text);
    add("payments", payment);
    if (payment !== undefined) add("notices", fields);
  };
  const createCartObservers = (kind: "" | "Transfer") => ({
    [`begin${kind}Cart`]: ({ shopping_cart }: Content) => add(`${kind}carts`, shopping_cart?.free_access_id),
    [`set${kind}CartProduct`]: ({ shopping_cart }: Content) => add(`${kind}filled`, shopping_cart?.free_access_id),
    [`checkOut${kind}Cart`]: ({ free_access_id }: Content) => add(`${kind}bookings`, free_access_id),
  });
  const observers: Readonly<Record<string, (content: Content, observation: Observation) => unknown>> = {
    createBooking: (_, { recipe }) => add("references", Object(recipe?.body).reservation?.agency_reservation_id),
    ...createCartObservers(""),
    ...createCartObservers("Transfer"),
    readReservation: ({ booking }) => add("transfers", booking?.id),
    ...{ payRental: observePayment, payBooking: observePayment },
    ...{ payTransfer: observePayment, payTransferReservation: observePayment },
    signUpCustomer: (_, { recipe }) => add("people", Object(recipe?.body).username),
    signIn: (_, { token }) => add("sessions", token),
    sendOperations: ({ results = [] }) => {
      for (const { op_id, state, booking_id } of results) {
        if (state === "conflict") add("conflicts", op_id);
        const unit = units.find(({ bookingId }) => bookingId === booking_id);
        if (unit) unitsOut.add(unit.unitId);
      }
    },
    keepFile: (_, { recipe }) => add("files", recipe?.parameters),
  };
  return {
    /** Returns matching parts for a request. Undefined if the operation needs none. */
    pickRecipe: ({ family, name }: Operation, random: Random) =>
      (recipes[`${family} ${name}`] ?? recipes[name])?.(random),
    /** Collects values from a response. */
    observe: (observation: Observation) =>
      void observers[observation.operation.name]?.(parseContent(observation.text), observation),
  };
}

// A unit can be handed over once. A repetition is a conflict for the office.
function createFieldWork(unit: PendingUnit, unitsOut: ReadonlySet<number>, random: Random): RequestRecipe {
  const { bookingId, unitId, version, vehicles } = unit;
  const later = unitsOut.has(unitId) ? ["correction", "collection"] : [];
  return {
    body: {
      ...{ op_id: randomUUID(), device_id: "fuzz-device", seq: random.between(1, 1_000_000) },
      ...{ kind: random.pick(["delivery", "evidence", ...later]), recorded_at: new Date().toISOString() },
      ...{ booking_id: bookingId, resource_id: unitId, base_version: version },
      ...{ fuel_eighths: 8, kilometres: random.between(10_000, 90_000) },
      ...(vehicles[0] !== undefined && { vehicle_reference: vehicles[0] }),
    },
  };
}

function parseContent(text: string): Content {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Lists units that the app could hand over in the next days. */
export async function loadPendingUnits(
  client: Client,
  { account, token }: Caller,
  known: KnownValues,
): Promise<readonly PendingUnit[]> {
  const units: PendingUnit[] = [];
  for (const branch of known["rental_location_code"] ?? [])
    for (let days = 0; days < MAX_DAYS_AHEAD; days++) {
      const query = `date=${getDateAfter(days)}&rental_location_code=${branch}`;
      const path = `/api/v1/booking/deliveries-collections?${query}`;
      const call = { account: account as AccountName, method: "GET", path, headers: { Authorization: token } };
      units.push(...listPendingUnits(parseJson(await client.sendUntilAnswered(call))));
    }
  return units;
}
