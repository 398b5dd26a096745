import { type Call, createSignedCall } from "#tools/platform/client.ts";
import { getNonSundayDateAfter, getOpenDayAfter } from "#tools/platform/days.ts";
import type { SoakAccount } from "./accounts.ts";

/** Account data used by an agency search. */
type Searcher = Omit<SoakAccount, "engineKey">;
type Ask = (account: SoakAccount, callIndex: number) => Call<string>;

const OTA = "/api/booking/ota";
const LIST: Ask = (account) => createSearcherCall(account, `${OTA}/location-list?customer-language=en`);

/** Every second request is the list. The others are searches of agencies and websites. */
export const CALL_CREATORS: readonly Ask[] = [
  LIST,
  createSearchCall,
  LIST,
  products,
  LIST,
  dates,
  LIST,
  transferPoints,
];

/** Returns the requests in turn: each account and each kind. */
export function createRequestMix(accounts: readonly SoakAccount[]): () => Call<string> {
  let callIndex = 0;
  return () => {
    const account = accounts[callIndex % accounts.length];
    const kind = CALL_CREATORS[Math.floor(callIndex / accounts.length) % CALL_CREATORS.length];
    if (!account || !kind) throw new Error("the soak has no account");
    return kind(account, callIndex++);
  };
}

function createSearcherCall({ name, key }: Searcher, path: string): Call<string> {
  return createSignedCall<string>(key, { account: name, method: "GET", path });
}

/** Creates an agency's availability search for a week. */
export function createSearchCall(account: Searcher, callIndex: number): Call<string> {
  const from = 10 + (callIndex % 60);
  const search = new URLSearchParams({
    "date-from": getNonSundayDateAfter(from),
    "time-from": "10:00",
    "pickup-place": account.placeId,
    "date-to": getNonSundayDateAfter(from + 7),
    "time-to": "10:00",
    "return-place": account.placeId,
  });
  return createSearcherCall(account, `${OTA}/availability?${search}`);
}

function website({ name, engineKey }: SoakAccount, path: string): Call<string> {
  return { account: name, method: "GET", path: `/api/${path}api_key=${engineKey}` };
}

function products(account: SoakAccount): Call<string> {
  return website(account, "booking/frontend/products?");
}

function dates(account: SoakAccount, callIndex: number): Call<string> {
  const from = getOpenDayAfter(1 + (callIndex % 30));
  return website(
    account,
    `booking/frontend/dates?action=deliveries&from=${from}&to=${getOpenDayAfter(60)}&place=${account.placeId}&`,
  );
}

function transferPoints(account: SoakAccount): Call<string> {
  return website(account, "booking-transfer/frontend/origin-points?page=1&lang=en&");
}
