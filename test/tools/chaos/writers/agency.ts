import { type AccountName, createSignedCall, createUnexpectedAnswerError } from "#tools/platform/client.ts";
import { getPartnerKey } from "#tools/platform/credentials.ts";
import { type ChaosWriter, pickRental, type WriterContext } from "./context.ts";

const OTA = "/api/booking/ota";

/** Creates a travel agency that books, retries if uncertain, and cancels. */
export function createAgencyWriter(account: AccountName, apiKey: string): ChaosWriter {
  const key = getPartnerKey(account, apiKey);
  return async (context) => {
    const { client, history, random, accountData } = context;
    const { from, to, place, code } = pickRental(context, account);
    const reference = `chaos-${random.hex(16)}`;
    const id = `${apiKey}/${reference}`;
    const content = {
      reservation: {
        date_from: from,
        time_from: "10:00",
        date_to: to,
        time_to: "10:00",
        pickup_place: place,
        return_place: place,
        customer_name: "Ana",
        customer_surname: `of ${account}`,
        agency_reservation_id: reference,
        products: [{ code, quantity: random.between(1, 2) }],
        extras: random.chance(0.4) ? [{ code: random.pick(accountData[account].extras), quantity: 1 }] : [],
      },
    };
    history.agencyBookings.set(id, { account, state: "asked" });
    const book = createSignedCall(key, { account, method: "POST", path: `${OTA}/booking` }, content);
    const answer = await client.sendUntilAnswered(book);
    // Sold out, or the branch is closed that day.
    if (answer.status === 409 || answer.status === 400)
      return void history.agencyBookings.set(id, { account, state: "refused" });
    if (answer.status !== 200) throw createUnexpectedAnswerError(book, answer);
    history.agencyBookings.set(id, { account, state: "booked" });
    // An uncertain agency retries and gets the stored booking.
    if (random.chance(0.15)) await client.sendUntilAnswered(book);
    await changeOrCancel(context, { account, key, reference });
  };
}

interface BookedReference {
  readonly account: AccountName;
  readonly key: ReturnType<typeof getPartnerKey>;
  readonly reference: string;
}

async function changeOrCancel(context: WriterContext, booked: BookedReference): Promise<void> {
  if (context.random.chance(0.3)) await change(context, booked);
  if (context.random.chance(0.3)) await cancel(context, booked);
}

// Repeated until it's answered: the same change again changes nothing.
async function change({ client }: WriterContext, { account, key, reference }: BookedReference): Promise<void> {
  const content = { reservation: { agency_reservation_id: reference, time_to: "11:00", customer_name: "Eva" } };
  const call = createSignedCall(key, { account, method: "POST", path: `${OTA}/change-booking` }, content);
  const answer = await client.sendUntilAnswered(call);
  // Handed over in the meantime, or closed at that time.
  if (![200, 400, 409].includes(answer.status)) throw createUnexpectedAnswerError(call, answer);
}

async function cancel({ client, history }: WriterContext, { account, key, reference }: BookedReference): Promise<void> {
  const id = `${key.apiKey}/${reference}`;
  history.agencyBookings.set(id, { account, state: "cancelling" });
  const content = { reservation: { agency_reservation_id: reference } };
  const call = createSignedCall(key, { account, method: "POST", path: `${OTA}/cancel-booking` }, content);
  const answer = await client.sendUntilAnswered(call);
  if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
  history.agencyBookings.set(id, { account, state: "cancelled" });
}
