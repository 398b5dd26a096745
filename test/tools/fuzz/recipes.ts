import { randomUUID } from "node:crypto";
import type { Random } from "#scripts/demo/random.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import { createRandomPhoto } from "#tools/platform/photo.ts";
import {
  type AccountState,
  CHECK_IN_FILE_PATH,
  CHECK_IN_OPERATIONS_PATH,
  FUZZ_PASSWORD,
  PAYMENT_PATHS,
  RENTAL_ENGINE_PATH,
  TRANSFER_ENGINE_PATH,
} from "./account-state.ts";
import type { RequestRecipe } from "./recipe.ts";

/** Creates matching request parts. Undefined if the account has no suitable data. */
type Maker = (random: Random) => RequestRecipe | undefined;

type Engine = typeof RENTAL_ENGINE_PATH | typeof TRANSFER_ENGINE_PATH;

const CANCEL = "POST /api/v1/booking/transfer-reservations/{id}/cancel";
const customerData = { customer_name: "Ana", customer_surname: "Fuzz", customer_email: "ana@example.com" };

/** Returns recipes of operations that never succeed with random values, by method and path. */
export function createRecipes(state: AccountState): Readonly<Record<string, Maker>> {
  const { known, carts, filledCarts, bookings } = state;
  const knownValue = (random: Random, name: string) => random.pick(known[name] ?? [""]);
  const period = (random: Random) => {
    const from = random.between(60, 400);
    return {
      date_from: getDateAfter(from),
      time_from: "10:00",
      date_to: getDateAfter(from + random.between(3, 9)),
      time_to: "10:00",
    };
  };
  const rentalSearch = (random: Random) => {
    const place = knownValue(random, "pickup_place");
    return { ...period(random), pickup_place: place, return_place: place };
  };
  const cartRecipe =
    (engine: Engine, body: (random: Random) => unknown): Maker =>
    (random) => {
      const id = carts[engine].draw(random);
      return id === undefined ? undefined : { parameters: { free_access_id: id }, body: body(random) };
    };
  const bookingRecipe =
    (engine: Engine, body?: unknown): Maker =>
    (random) => {
      const id = bookings[engine].draw(random);
      return id === undefined ? undefined : { parameters: { free_access_id: id }, ...(body !== undefined && { body }) };
    };
  const checkout =
    (engine: Engine): Maker =>
    () => {
      const id = filledCarts[engine].take();
      return id === undefined ? undefined : { parameters: { free_access_id: id }, body: customerData };
    };
  const paying: Maker = (random) => {
    const id = bookings[random.pick([RENTAL_ENGINE_PATH, TRANSFER_ENGINE_PATH] as const)].draw(random);
    return id === undefined ? undefined : { body: { id, payment: "total", payment_method_id: "tpvA256" } };
  };
  const always =
    (recipe: RequestRecipe): Maker =>
    () =>
      recipe;

  return {
    "POST /api/booking/ota/booking": (random) => {
      const { extras: _, ...search } = { ...rentalSearch(random), extras: [] };
      const reservation = {
        ...search,
        pickup_place: Number(search.pickup_place),
        return_place: Number(search.return_place),
        ...{ customer_name: "Ana", customer_surname: "Fuzz", agency_reservation_id: `fuzz-${random.hex(12)}` },
        products: [{ code: knownValue(random, "product"), quantity: 1 }],
        extras: random.chance(0.3) ? [{ code: knownValue(random, "extra"), quantity: 1 }] : [],
      };
      return { body: { reservation } };
    },
    "POST /api/v1/office/reservations": (random) => {
      const { pickup_place: place, ...search } = rentalSearch(random);
      const [pickup_place, category_code] = [Number(place), knownValue(random, "product")];
      const customer = { name: "Ana", surname: "Fuzz", email: `fuzz-${random.hex(6)}@example.com` };
      const status = random.pick(["confirmed", "pending_confirmation"]);
      return { body: { ...search, pickup_place, return_place: pickup_place, category_code, customer, status } };
    },
    "GET /api/booking/ota/booking": (random) => withReference(state.references.draw(random)),
    "POST /api/booking/ota/cancel-booking": (random) => {
      const reference = state.references.draw(random);
      return reference === undefined ? undefined : { body: { reservation: { agency_reservation_id: reference } } };
    },
    [`POST ${RENTAL_ENGINE_PATH}/shopping-cart`]: (random) => ({ body: rentalSearch(random) }),
    [`GET ${RENTAL_ENGINE_PATH}/shopping-cart/{free_access_id}`]: cartRecipe(RENTAL_ENGINE_PATH, () => undefined),
    [`PUT ${RENTAL_ENGINE_PATH}/shopping-cart/{free_access_id}`]: cartRecipe(RENTAL_ENGINE_PATH, rentalSearch),
    [`POST ${RENTAL_ENGINE_PATH}/shopping-cart/{free_access_id}`]: cartRecipe(RENTAL_ENGINE_PATH, rentalSearch),
    [`POST ${RENTAL_ENGINE_PATH}/shopping-cart/{free_access_id}/set-product`]: cartRecipe(
      RENTAL_ENGINE_PATH,
      (random) => ({
        product: knownValue(random, "product"),
      }),
    ),
    [`POST ${RENTAL_ENGINE_PATH}/shopping-cart/{free_access_id}/set-extra`]: cartRecipe(
      RENTAL_ENGINE_PATH,
      (random) => ({
        extra: knownValue(random, "extra"),
        quantity: 1,
      }),
    ),
    [`POST ${RENTAL_ENGINE_PATH}/shopping-cart/{free_access_id}/remove-extra`]: cartRecipe(
      RENTAL_ENGINE_PATH,
      (random) => ({
        extra: knownValue(random, "extra"),
      }),
    ),
    [`POST ${RENTAL_ENGINE_PATH}/shopping-cart/{free_access_id}/apply-promotion-code`]: cartRecipe(
      RENTAL_ENGINE_PATH,
      () => ({
        promotion_code: "WELCOME10",
      }),
    ),
    [`POST ${RENTAL_ENGINE_PATH}/shopping-cart/{free_access_id}/checkout`]: checkout(RENTAL_ENGINE_PATH),
    [`GET ${RENTAL_ENGINE_PATH}/booking/{free_access_id}`]: bookingRecipe(RENTAL_ENGINE_PATH),
    [`PUT ${RENTAL_ENGINE_PATH}/booking/{free_access_id}`]: bookingRecipe(RENTAL_ENGINE_PATH, {
      flight_number: "IB3912",
      customer_name: "Eva",
    }),
    [`GET ${RENTAL_ENGINE_PATH}/extras/{code}`]: (random) => ({ parameters: { code: knownValue(random, "extra") } }),
    [`POST ${TRANSFER_ENGINE_PATH}/shopping-cart`]: (random) => ({ body: transferSearch(random) }),
    [`GET ${TRANSFER_ENGINE_PATH}/shopping-cart/{free_access_id}`]: cartRecipe(TRANSFER_ENGINE_PATH, () => undefined),
    [`POST ${TRANSFER_ENGINE_PATH}/shopping-cart/{free_access_id}`]: cartRecipe(TRANSFER_ENGINE_PATH, transferSearch),
    [`POST ${TRANSFER_ENGINE_PATH}/shopping-cart/{free_access_id}/set-product`]: cartRecipe(
      TRANSFER_ENGINE_PATH,
      (random) => ({
        product: random.between(1, 3),
      }),
    ),
    [`POST ${TRANSFER_ENGINE_PATH}/shopping-cart/{free_access_id}/set-extra`]: cartRecipe(TRANSFER_ENGINE_PATH, () => ({
      extra: "SEAT",
      quantity: 1,
    })),
    [`POST ${TRANSFER_ENGINE_PATH}/shopping-cart/{free_access_id}/remove-extra`]: cartRecipe(
      TRANSFER_ENGINE_PATH,
      () => ({ extra: "SEAT" }),
    ),
    [`POST ${TRANSFER_ENGINE_PATH}/shopping-cart/{free_access_id}/checkout`]: checkout(TRANSFER_ENGINE_PATH),
    [`GET ${TRANSFER_ENGINE_PATH}/reservation/{free_access_id}`]: bookingRecipe(TRANSFER_ENGINE_PATH),
    [`POST ${TRANSFER_ENGINE_PATH}/reservation/{free_access_id}`]: bookingRecipe(TRANSFER_ENGINE_PATH, {}),
    [CANCEL]: () => {
      const id = state.transfers.take();
      return id === undefined ? undefined : { parameters: { id }, body: { reason: "fuzz" } };
    },
    [`GET ${TRANSFER_ENGINE_PATH}/destination-points`]: always({ parameters: { origin_point_id: 1 } }),
    [`GET ${TRANSFER_ENGINE_PATH}/products/{id}`]: (random) => ({ parameters: { id: random.between(1, 3) } }),
    [`GET ${TRANSFER_ENGINE_PATH}/extras/{id}`]: (random) => ({ parameters: { id: random.between(1, 3) } }),
    ...Object.fromEntries(PAYMENT_PATHS.map((path) => [`POST ${path}`, paying])),
    "POST /charge-processed/{gateway}": (random) => {
      const body = state.notices.draw(random);
      return body && { parameters: { gateway: "tpvA256" }, body };
    },
    "GET /reserva/payment-gateway-return/{outcome}": (random) => {
      const payment = state.payments.draw(random);
      return payment === undefined
        ? undefined
        : { parameters: { outcome: random.pick(["ok", "cancel", "nok"]), payment } };
    },
    "POST /api/v1/signup/customer": (random) => {
      const email = `fuzz-${random.hex(12)}@example.com`;
      return { body: { email, username: email, password: FUZZ_PASSWORD, name: "Ana", surname: "Fuzz" } };
    },
    "POST /api/v1/login": (random) => {
      const username = state.people.draw(random);
      return username === undefined ? undefined : { body: { username, password: FUZZ_PASSWORD } };
    },
    "DELETE /api/v1/logout": () => {
      const token = state.sessions.take();
      return token === undefined ? undefined : { token };
    },
    "GET /api/v1/web-customer/renting-reservations": always({ token: state.customer.token }),
    "POST /api/v1/web-customer/password-forgotten": (random) => {
      const username = state.people.draw(random);
      return username === undefined ? undefined : { body: { username } };
    },
    "POST /api/v1/web-customer/change-password": () => {
      const mail = [...state.mailbox.values()].at(-1) ?? "";
      const link = /[?&]id=([A-Za-z0-9_-]+)/.exec(mail)?.[1];
      return link === undefined ? undefined : { body: { password: FUZZ_PASSWORD, password_forgotten_hash: link } };
    },
    [`POST ${CHECK_IN_OPERATIONS_PATH}`]: (random) => fieldWork(state, random),
    [`POST ${CHECK_IN_OPERATIONS_PATH}/{op_id}/resolution`]: (random) => {
      const opId = state.conflicts.take();
      return opId === undefined
        ? undefined
        : { parameters: { op_id: opId }, body: { action: random.pick(["accept", "dismiss"]), note: "fuzz" } };
    },
    [`PUT ${CHECK_IN_FILE_PATH}`]: (random) => {
      const { hash, bytes } = createRandomPhoto(random);
      return { parameters: { id: knownValue(random, "booking_id"), hash }, body: bytes };
    },
    [`GET ${CHECK_IN_FILE_PATH}`]: (random) => {
      const file = state.files.draw(random);
      return file && { parameters: { ...file } };
    },
  };
}

// A unit can be handed over once. A repetition is a conflict for the office.
function fieldWork({ units, unitsOut }: AccountState, random: Random): RequestRecipe | undefined {
  if (units.length === 0) return undefined;
  const unit = random.pick(units);
  const isOut = unitsOut.has(unit.unitId);
  return {
    body: {
      op_id: randomUUID(),
      device_id: "fuzz-device",
      seq: random.between(1, 1_000_000),
      kind: isOut
        ? random.pick(["delivery", "evidence", "correction", "collection"])
        : random.pick(["delivery", "evidence"]),
      booking_id: unit.bookingId,
      resource_id: unit.unitId,
      base_version: unit.version,
      recorded_at: new Date().toISOString(),
      fuel_eighths: 8,
      kilometres: random.between(10_000, 90_000),
      ...(unit.vehicle !== undefined && { vehicle_reference: unit.vehicle }),
    },
  };
}

function withReference(reference: string | undefined): RequestRecipe | undefined {
  return reference === undefined ? undefined : { parameters: { "agency-reservation-id": reference } };
}

function transferSearch(random: Random) {
  return {
    date: getDateAfter(random.between(60, 400)),
    time: "10:00",
    origin_point_id: 1,
    destination_point_id: random.pick([3, 4, 5, 6, 9]),
    number_of_adults: 1,
  };
}
