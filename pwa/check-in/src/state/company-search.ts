import { signal } from "@preact/signals";
import { client } from "./device-session.ts";
import { chooseBranch, settings } from "./settings.ts";

/** A search result of the company that isn't on the device. */
export interface CompanySearchResult {
  readonly id: number;
  readonly status: string;
  readonly date_from: string;
  readonly time_from: string;
  readonly date_to: string;
  readonly pickup_place: string;
  readonly customer_fullname: string;
  readonly rental_location_code: string;
  readonly return_rental_location_code: string;
}

interface BookingSearchResponse {
  readonly data: readonly CompanySearchResult[];
}

/** Search results of the company. Undefined if not requested or unreachable. */
export const companySearchResults = signal<readonly CompanySearchResult[] | undefined>(undefined);

const LEAST_LETTERS = 3;
const MAX_SEARCH_RESULTS = 20;
const TYPING_MS = 400;

let typing: ReturnType<typeof setTimeout> | undefined;
let lastQuery = "";

/** Searches bookings of any day after the user stops typing. */
export function searchCompanyBookings(text: string): void {
  clearTimeout(typing);
  lastQuery = text.trim();
  companySearchResults.value = undefined;
  if (lastQuery.length < LEAST_LETTERS) return;
  typing = setTimeout(() => void ask(lastQuery), TYPING_MS);
}

async function ask(text: string): Promise<void> {
  const query = `q=${encodeURIComponent(text)}&kind=rental&page_size=${MAX_SEARCH_RESULTS}`;
  const answer = await client.call<BookingSearchResponse>("GET", `/api/v1/office/reservations?${query}`);
  if (text === lastQuery && answer.kind === "ok") companySearchResults.value = answer.value.data;
}

/** Switches to the branch of a search result. Returns the day to show. */
export async function switchToBookingBranch(foundBooking: CompanySearchResult, isReturn: boolean): Promise<string> {
  const code = isReturn ? foundBooking.return_rental_location_code : foundBooking.rental_location_code;
  if (settings.peek()?.rental_locations.some((item) => item.code === code)) await chooseBranch(code);
  return isReturn ? foundBooking.date_to : foundBooking.date_from;
}
