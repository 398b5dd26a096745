import { buildRedsysNotice } from "#tools/platform/redsys-notice.ts";
import {
  type AccountState,
  CHECK_IN_FILE_PATH,
  CHECK_IN_OPERATIONS_PATH,
  PAYMENT_PATHS,
  RENTAL_ENGINE_PATH,
  TRANSFER_ENGINE_PATH,
} from "./account-state.ts";
import type { Operation } from "./operations.ts";
import type { RequestRecipe } from "./recipe.ts";

/** An executed request with its response. */
export interface Observation {
  readonly operation: Operation;
  readonly recipe: RequestRecipe | undefined;
  readonly text: string;
  readonly token: string | undefined;
}

type Observer = (observation: Observation, answer: CallResult) => void;

/** Collects values from a response. */
export function collectObservedValues(state: AccountState, observation: Observation): void {
  const { method, path } = observation.operation;
  observersFor(state)[`${method} ${path}`]?.(observation, parseResult(observation.text));
}

function observersFor(state: AccountState): Readonly<Record<string, Observer>> {
  function observePayment({ text }: Observation): void {
    const { payment, fields } = buildRedsysNotice(text);
    state.payments.add(payment);
    if (payment !== undefined) state.notices.add(fields);
  }

  function observeWork({ op_id, state: outcome, booking_id }: WorkResult): void {
    if (outcome === "conflict") state.conflicts.add(op_id);
    const unit = state.units.find(({ bookingId }) => bookingId === booking_id);
    if (unit) state.unitsOut.add(unit.unitId);
  }

  return {
    "POST /api/booking/ota/booking": ({ recipe }) =>
      state.references.add(readNestedText(recipe?.body, "reservation", "agency_reservation_id")),
    [`POST ${RENTAL_ENGINE_PATH}/shopping-cart`]: (_, answer) =>
      state.carts[RENTAL_ENGINE_PATH].add(answer.shopping_cart?.free_access_id),
    [`POST ${TRANSFER_ENGINE_PATH}/shopping-cart`]: (_, answer) =>
      state.carts[TRANSFER_ENGINE_PATH].add(answer.shopping_cart?.free_access_id),
    [`POST ${RENTAL_ENGINE_PATH}/shopping-cart/{free_access_id}/set-product`]: (_, answer) =>
      state.filledCarts[RENTAL_ENGINE_PATH].add(answer.shopping_cart?.free_access_id),
    [`POST ${TRANSFER_ENGINE_PATH}/shopping-cart/{free_access_id}/set-product`]: (_, answer) =>
      state.filledCarts[TRANSFER_ENGINE_PATH].add(answer.shopping_cart?.free_access_id),
    [`POST ${RENTAL_ENGINE_PATH}/shopping-cart/{free_access_id}/checkout`]: (_, answer) =>
      state.bookings[RENTAL_ENGINE_PATH].add(answer.free_access_id),
    [`POST ${TRANSFER_ENGINE_PATH}/shopping-cart/{free_access_id}/checkout`]: (_, answer) =>
      state.bookings[TRANSFER_ENGINE_PATH].add(answer.free_access_id),
    [`GET ${TRANSFER_ENGINE_PATH}/reservation/{free_access_id}`]: (_, answer) =>
      state.transfers.add(answer.booking?.id),
    ...Object.fromEntries(PAYMENT_PATHS.map((path) => [`POST ${path}`, observePayment])),
    "POST /api/v1/signup/customer": ({ recipe }) => state.people.add(readNestedText(recipe?.body, "username")),
    "POST /api/v1/login": ({ token }) => state.sessions.add(token),
    [`POST ${CHECK_IN_OPERATIONS_PATH}`]: (_, answer) => answer.results?.forEach(observeWork),
    [`PUT ${CHECK_IN_FILE_PATH}`]: ({ recipe }) => {
      const { id, hash } = recipe?.parameters ?? {};
      if (id !== undefined) state.files.add({ id: Number(id), hash: String(hash) });
    },
  };
}

interface WorkResult {
  readonly op_id: string;
  readonly state: string;
  readonly booking_id: number;
}

/** Values to collect from a response. */
interface CallResult {
  readonly free_access_id?: string;
  readonly shopping_cart?: { readonly free_access_id: string };
  readonly results?: readonly WorkResult[];
  readonly booking?: { readonly id: number };
}

function parseResult(text: string): CallResult {
  try {
    return (JSON.parse(text) ?? {}) as CallResult;
  } catch {
    return {};
  }
}

/** Returns a nested text, if it exists. */
function readNestedText(value: unknown, ...names: readonly string[]): string | undefined {
  let inner = value;
  for (const name of names) {
    if (typeof inner !== "object" || inner === null) return undefined;
    inner = (inner as Readonly<Record<string, unknown>>)[name];
  }
  return typeof inner === "string" ? inner : undefined;
}
