import { randomUUID } from "node:crypto";
import { aPhoto } from "../chaos/check-in-writer.ts";
import { noticeOf } from "../chaos/payment-writer.ts";
import type { Random } from "../demo/random.ts";
import type { Operation } from "./operations.ts";
import type { Facts } from "./values.ts";

/** The parts of a request that must be right together, so that an operation finds what it is about. */
export interface Recipe {
  /** Of the path and the query, by name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Whose token is sent instead of the caller's. */
  readonly token?: string;
}

/** What was asked, as far as something is learnt from its answer. */
export interface Learnt {
  readonly operation: Operation;
  readonly recipe: Recipe | undefined;
  readonly text: string;
  readonly token: string | undefined;
}

/** What lives in an account: made by the requests themselves, and drawn from by later ones. */
export interface Living {
  recipeFor(operation: Operation, random: Random): Recipe | undefined;
  learn(learnt: Learnt): void;
}

interface Unit {
  readonly bookingId: number;
  readonly unitId: number;
  readonly version: number;
  readonly vehicle: string | undefined;
}

const MOST_KEPT = 200;
const PASSWORD = "Fuzz-2026-secret!";
const RENTAL = "/api/booking/frontend";
const TRANSFER = "/api/booking-transfer/frontend";
const PAYMENTS = ["/reserva/pagar", "/book/pay", "/transfer/pagar", "/reserva-transfer/pagar"];
const OPERATIONS = "/api/v1/booking/check-in-operations";
const CANCEL = "POST /api/v1/booking/transfer-reservations/{id}/cancel";
const FILE = "/api/v1/booking/{id}/check-in-files/{hash}";

type Maker = (random: Random) => Recipe | undefined;

class Pool<T> {
  readonly #items: T[] = [];

  add(item: T | undefined): void {
    if (item === undefined) return;
    this.#items.push(item);
    if (this.#items.length > MOST_KEPT) this.#items.shift();
  }

  draw(random: Random): T | undefined {
    return this.#items.length === 0 ? undefined : random.pick(this.#items);
  }

  /** For what is good once. */
  take(): T | undefined {
    return this.#items.pop();
  }
}

/** What is in an account at the beginning. */
export interface Beginning {
  readonly facts: Facts;
  readonly units: readonly Unit[];
  readonly customer: { readonly username: string; readonly password: string; readonly token: string };
  /** What the platform has mailed: the last text to each recipient. */
  readonly mailbox: ReadonlyMap<string, string>;
}

/** The living things of one account. */
export function livingOf({ facts, units, customer, mailbox }: Beginning): Living {
  const references = new Pool<string>();
  const carts = { [RENTAL]: new Pool<string>(), [TRANSFER]: new Pool<string>() };
  const filled = { [RENTAL]: new Pool<string>(), [TRANSFER]: new Pool<string>() };
  const bookings = { [RENTAL]: new Pool<string>(), [TRANSFER]: new Pool<string>() };
  const transfers = new Pool<number>();
  const payments = new Pool<string>();
  const notices = new Pool<Readonly<Record<string, string>>>();
  const conflicts = new Pool<string>();
  const people = new Pool<string>();
  const sessions = new Pool<string>();
  const files = new Pool<{ readonly id: number; readonly hash: string }>();
  const out = new Set<number>();

  const fact = (random: Random, name: string) => random.pick(facts[name] ?? [""]);
  const period = (random: Random) => {
    const from = random.between(60, 400);
    return { date_from: day(from), time_from: "10:00", date_to: day(from + random.between(3, 9)), time_to: "10:00" };
  };
  const rentalSearch = (random: Random) => {
    const place = fact(random, "pickup_place");
    return { ...period(random), pickup_place: place, return_place: place };
  };
  const customerData = { customer_name: "Ana", customer_surname: "Fuzz", customer_email: "ana@example.com" };
  const ofCart =
    (engine: keyof typeof carts, body: (random: Random) => unknown): Maker =>
    (random) => {
      const id = carts[engine].draw(random);
      return id === undefined ? undefined : { parameters: { free_access_id: id }, body: body(random) };
    };
  const ofBooking =
    (engine: keyof typeof bookings, body?: unknown): Maker =>
    (random) => {
      const id = bookings[engine].draw(random);
      return id === undefined ? undefined : { parameters: { free_access_id: id }, ...(body !== undefined && { body }) };
    };
  const checkout =
    (engine: keyof typeof filled): Maker =>
    () => {
      const id = filled[engine].take();
      return id === undefined ? undefined : { parameters: { free_access_id: id }, body: customerData };
    };
  const paying: Maker = (random) => {
    const id = bookings[random.pick([RENTAL, TRANSFER] as const)].draw(random);
    return id === undefined ? undefined : { body: { id, payment: "total", payment_method_id: "tpvA256" } };
  };
  const stay =
    (recipe: Recipe): Maker =>
    () =>
      recipe;

  const recipes: Readonly<Record<string, Maker>> = {
    "POST /api/booking/ota/booking": (random) => {
      const { extras: _, ...search } = { ...rentalSearch(random), extras: [] };
      const reservation = {
        ...search,
        pickup_place: Number(search.pickup_place),
        return_place: Number(search.return_place),
        ...{ customer_name: "Ana", customer_surname: "Fuzz", agency_reservation_id: `fuzz-${random.hex(12)}` },
        products: [{ code: fact(random, "product"), quantity: 1 }],
        extras: random.chance(0.3) ? [{ code: fact(random, "extra"), quantity: 1 }] : [],
      };
      return { body: { reservation } };
    },
    "GET /api/booking/ota/booking": (random) => withReference(references.draw(random)),
    "POST /api/booking/ota/cancel-booking": (random) => {
      const reference = references.draw(random);
      return reference === undefined ? undefined : { body: { reservation: { agency_reservation_id: reference } } };
    },
    [`POST ${RENTAL}/shopping-cart`]: (random) => ({ body: rentalSearch(random) }),
    [`GET ${RENTAL}/shopping-cart/{free_access_id}`]: ofCart(RENTAL, () => undefined),
    [`PUT ${RENTAL}/shopping-cart/{free_access_id}`]: ofCart(RENTAL, rentalSearch),
    [`POST ${RENTAL}/shopping-cart/{free_access_id}`]: ofCart(RENTAL, rentalSearch),
    [`POST ${RENTAL}/shopping-cart/{free_access_id}/set-product`]: ofCart(RENTAL, (random) => ({
      product: fact(random, "product"),
    })),
    [`POST ${RENTAL}/shopping-cart/{free_access_id}/set-extra`]: ofCart(RENTAL, (random) => ({
      extra: fact(random, "extra"),
      quantity: 1,
    })),
    [`POST ${RENTAL}/shopping-cart/{free_access_id}/remove-extra`]: ofCart(RENTAL, (random) => ({
      extra: fact(random, "extra"),
    })),
    [`POST ${RENTAL}/shopping-cart/{free_access_id}/apply-promotion-code`]: ofCart(RENTAL, () => ({
      promotion_code: "WELCOME10",
    })),
    [`POST ${RENTAL}/shopping-cart/{free_access_id}/checkout`]: checkout(RENTAL),
    [`GET ${RENTAL}/booking/{free_access_id}`]: ofBooking(RENTAL),
    [`PUT ${RENTAL}/booking/{free_access_id}`]: ofBooking(RENTAL, { flight_number: "IB3912", customer_name: "Eva" }),
    [`GET ${RENTAL}/extras/{code}`]: (random) => ({ parameters: { code: fact(random, "extra") } }),
    [`POST ${TRANSFER}/shopping-cart`]: (random) => ({ body: transferSearch(random) }),
    [`GET ${TRANSFER}/shopping-cart/{free_access_id}`]: ofCart(TRANSFER, () => undefined),
    [`POST ${TRANSFER}/shopping-cart/{free_access_id}`]: ofCart(TRANSFER, transferSearch),
    [`POST ${TRANSFER}/shopping-cart/{free_access_id}/set-product`]: ofCart(TRANSFER, (random) => ({
      product: random.between(1, 3),
    })),
    [`POST ${TRANSFER}/shopping-cart/{free_access_id}/set-extra`]: ofCart(TRANSFER, () => ({
      extra: "SEAT",
      quantity: 1,
    })),
    [`POST ${TRANSFER}/shopping-cart/{free_access_id}/remove-extra`]: ofCart(TRANSFER, () => ({ extra: "SEAT" })),
    [`POST ${TRANSFER}/shopping-cart/{free_access_id}/checkout`]: checkout(TRANSFER),
    [`GET ${TRANSFER}/reservation/{free_access_id}`]: ofBooking(TRANSFER),
    [`POST ${TRANSFER}/reservation/{free_access_id}`]: ofBooking(TRANSFER, {}),
    [CANCEL]: () => {
      const id = transfers.take();
      return id === undefined ? undefined : { parameters: { id }, body: { reason: "fuzz" } };
    },
    [`GET ${TRANSFER}/destination-points`]: stay({ parameters: { origin_point_id: 1 } }),
    [`GET ${TRANSFER}/products/{id}`]: (random) => ({ parameters: { id: random.between(1, 3) } }),
    [`GET ${TRANSFER}/extras/{id}`]: (random) => ({ parameters: { id: random.between(1, 3) } }),
    ...Object.fromEntries(PAYMENTS.map((path) => [`POST ${path}`, paying])),
    "POST /charge-processed/{gateway}": (random) => {
      const body = notices.draw(random);
      return body && { parameters: { gateway: "tpvA256" }, body };
    },
    "GET /reserva/payment-gateway-return/{outcome}": (random) => {
      const payment = payments.draw(random);
      return payment === undefined
        ? undefined
        : { parameters: { outcome: random.pick(["ok", "cancel", "nok"]), payment } };
    },
    "POST /api/v1/signup/customer": (random) => {
      const email = `fuzz-${random.hex(12)}@example.com`;
      return { body: { email, username: email, password: PASSWORD, name: "Ana", surname: "Fuzz" } };
    },
    "POST /api/v1/login": (random) => {
      const username = people.draw(random);
      return username === undefined ? undefined : { body: { username, password: PASSWORD } };
    },
    "DELETE /api/v1/logout": () => {
      const token = sessions.take();
      return token === undefined ? undefined : { token };
    },
    "GET /api/v1/web-customer/renting-reservations": stay({ token: customer.token }),
    "POST /api/v1/web-customer/password-forgotten": (random) => {
      const username = people.draw(random);
      return username === undefined ? undefined : { body: { username } };
    },
    "POST /api/v1/web-customer/change-password": () => {
      const mail = [...mailbox.values()].at(-1) ?? "";
      const link = /[?&]id=([A-Za-z0-9_-]+)/.exec(mail)?.[1];
      return link === undefined ? undefined : { body: { password: PASSWORD, password_forgotten_hash: link } };
    },
    [`POST ${OPERATIONS}`]: (random) => fieldWork(random),
    [`POST ${OPERATIONS}/{op_id}/resolution`]: (random) => {
      const opId = conflicts.take();
      return opId === undefined
        ? undefined
        : { parameters: { op_id: opId }, body: { action: random.pick(["accept", "dismiss"]), note: "fuzz" } };
    },
    [`PUT ${FILE}`]: (random) => {
      const { hash, bytes } = aPhoto(random);
      return { parameters: { id: fact(random, "booking_id"), hash }, body: bytes };
    },
    [`GET ${FILE}`]: (random) => {
      const file = files.draw(random);
      return file && { parameters: { ...file } };
    },
  };

  // A unit goes out once: who sends it again finds a conflict, for the office.
  function fieldWork(random: Random): Recipe | undefined {
    if (units.length === 0) return undefined;
    const unit = random.pick(units);
    const isOut = out.has(unit.unitId);
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

  const lessons: Readonly<Record<string, (learnt: Learnt, answer: Answered) => void>> = {
    "POST /api/booking/ota/booking": ({ recipe }) =>
      references.add(at(recipe?.body, "reservation", "agency_reservation_id")),
    [`POST ${RENTAL}/shopping-cart`]: (_, answer) => carts[RENTAL].add(answer.shopping_cart?.free_access_id),
    [`POST ${TRANSFER}/shopping-cart`]: (_, answer) => carts[TRANSFER].add(answer.shopping_cart?.free_access_id),
    [`POST ${RENTAL}/shopping-cart/{free_access_id}/set-product`]: (_, answer) =>
      filled[RENTAL].add(answer.shopping_cart?.free_access_id),
    [`POST ${TRANSFER}/shopping-cart/{free_access_id}/set-product`]: (_, answer) =>
      filled[TRANSFER].add(answer.shopping_cart?.free_access_id),
    [`POST ${RENTAL}/shopping-cart/{free_access_id}/checkout`]: (_, answer) =>
      bookings[RENTAL].add(answer.free_access_id),
    [`POST ${TRANSFER}/shopping-cart/{free_access_id}/checkout`]: (_, answer) =>
      bookings[TRANSFER].add(answer.free_access_id),
    [`GET ${TRANSFER}/reservation/{free_access_id}`]: (_, answer) => transfers.add(answer.booking?.id),
    ...Object.fromEntries(PAYMENTS.map((path) => [`POST ${path}`, learnPayment])),
    "POST /api/v1/signup/customer": ({ recipe }) => people.add(at(recipe?.body, "username")),
    "POST /api/v1/login": ({ token }) => sessions.add(token),
    [`POST ${OPERATIONS}`]: (_, answer) => answer.results?.forEach(learnWork),
    [`PUT ${FILE}`]: ({ recipe }) => {
      const { id, hash } = recipe?.parameters ?? {};
      if (id !== undefined) files.add({ id: Number(id), hash: String(hash) });
    },
  };

  function learnPayment({ text }: Learnt): void {
    const { payment, fields } = noticeOf(text);
    payments.add(payment);
    if (payment !== undefined) notices.add(fields);
  }

  function learnWork({ op_id, state, booking_id }: WorkResult): void {
    if (state === "conflict") conflicts.add(op_id);
    const unit = units.find(({ bookingId }) => bookingId === booking_id);
    if (unit) out.add(unit.unitId);
  }

  return {
    recipeFor: ({ method, path }, random) => recipes[`${method} ${path}`]?.(random),
    learn: (learnt) => lessons[`${learnt.operation.method} ${learnt.operation.path}`]?.(learnt, parsed(learnt.text)),
  };
}

interface WorkResult {
  readonly op_id: string;
  readonly state: string;
  readonly booking_id: number;
}

/** What is learnt of an answer. */
interface Answered {
  readonly free_access_id?: string;
  readonly shopping_cart?: { readonly free_access_id: string };
  readonly results?: readonly WorkResult[];
  readonly booking?: { readonly id: number };
}

function parsed(text: string): Answered {
  try {
    return (JSON.parse(text) ?? {}) as Answered;
  } catch {
    return {};
  }
}

/** A text deep in a value, where it is there. */
function at(value: unknown, ...names: readonly string[]): string | undefined {
  let inner = value;
  for (const name of names) {
    if (typeof inner !== "object" || inner === null) return undefined;
    inner = (inner as Readonly<Record<string, unknown>>)[name];
  }
  return typeof inner === "string" ? inner : undefined;
}

function withReference(reference: string | undefined): Recipe | undefined {
  return reference === undefined ? undefined : { parameters: { "agency-reservation-id": reference } };
}

function day(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

function transferSearch(random: Random) {
  return {
    date: day(random.between(60, 400)),
    time: "10:00",
    origin_point_id: 1,
    destination_point_id: random.pick([3, 4, 5, 6, 9]),
    number_of_adults: 1,
  };
}
