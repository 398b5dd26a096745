import { randomBytes } from "node:crypto";
import { type Call, createSignedCall } from "#tools/platform/client.ts";

/** Attacked account. The other one is measured. */
export const ATTACKED_ACCOUNT = "acme";

const JSON_TYPE = { "Content-Type": "application/json" };
const FORM_TYPE = { "Content-Type": "application/x-www-form-urlencoded" };
/** 372 kB of unique names. */
const FIELDS = Array.from({ length: 33_000 }, (_, index) => `field${index}=1`)
  .join("&")
  .slice(0, 372_000);
const DEEP = `{"date_from":${"[".repeat(400_000)}${"]".repeat(400_000)}}`;

const ENGINE = "/api/booking/frontend";
const OTA = "/api/booking/ota";

/** A repeated request with its rate per second and maximum parallelism. */
export interface Attack {
  readonly name: string;
  readonly perSecond: number;
  /** Whether success is harmless, because the platform removes what is dangerous. */
  readonly mayAccept?: boolean;
  readonly next: (turn: number) => Call;
}

function post(path: string, headers: Readonly<Record<string, string>>, body: string): Call {
  return { account: ATTACKED_ACCOUNT, method: "POST", path, headers, body };
}

/** Returns a cart id with an invalid signature. */
function createFakeCartId(): string {
  return randomBytes(16).toString("hex");
}

/** Attacks with complete requests. */
export const ATTACKS: readonly Attack[] = [
  {
    name: "372 kB of unique form fields",
    perSecond: 4,
    next: (turn) => post(turn % 2 ? "/reserva/pagar" : "/api/v1/login", FORM_TYPE, FIELDS),
  },
  {
    name: "JSON 400,000 levels deep",
    perSecond: 4,
    next: (turn) => post(turn % 2 ? `${ENGINE}/shopping-cart` : "/api/v1/login", JSON_TYPE, DEEP),
  },
  {
    name: "made-up cart ids",
    perSecond: 20,
    next: (turn) => {
      const cart = `${ENGINE}/shopping-cart/${createFakeCartId()}`;
      if (turn % 2) return post(`${cart}/set-product?api_key=acme-web`, JSON_TYPE, '{"product":"A"}');
      return { account: ATTACKED_ACCOUNT, method: "GET", path: `${cart}?api_key=acme-web` };
    },
  },
  {
    name: "wrong signatures",
    perSecond: 20,
    next: (turn) => {
      const key = { apiKey: turn % 2 ? "acme-agency" : `nobody-${turn}`, secret: "not the secret" };
      return createSignedCall(key, {
        account: ATTACKED_ACCOUNT,
        method: "GET",
        path: `${OTA}/location-list?customer-language=en`,
      });
    },
  },
];
