import { type AccountName, createJsonCall, createUnexpectedAnswerError, parseJson } from "#tools/platform/client.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import { type ChaosWriter, pickRental, type WriterContext } from "./context.ts";
import { sendWithIdempotencyKey } from "./office-requests.ts";
import { recordExpectation } from "./record-expectations.ts";

interface QuoteSnapshot {
  readonly id: number;
  readonly version: number;
  readonly link: string;
}

const BOOKED = "SELECT 1 FROM bookings WHERE free_access_id = ?";

/**
 * Creates an office user who quotes a rental, changes, sends, duplicates and declines quotes, and a customer who
 * accepts one by its link, sometimes twice.
 */
export function createQuotesWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const { random } = context;
    const quote = await create(context, account);
    if (!quote) return;
    const write = (path: string, body: object, method: "POST" | "PATCH" = "POST") =>
      sendWithIdempotencyKey(context, {
        account,
        method,
        path: `/quotes/${quote.id}${path}`,
        body,
        kind: "quotes",
        hasOtherName: true,
      });
    const changed = random.chance(0.4)
      ? await write("", { expected_version: quote.version, notes: `chaos ${random.hex(4)}` }, "PATCH")
      : undefined;
    const latest: QuoteSnapshot = changed?.quote ?? quote;
    if (random.chance(0.3)) await write("/send", {});
    if (random.chance(0.2)) await write("/duplicate", { valid_until: `${getDateAfter(20)}T12:00` });
    if (random.chance(0.3)) await write("/decline", { reason: "chaos" });
    else await accept(context, account, latest);
  };
}

async function create(context: WriterContext, account: AccountName): Promise<QuoteSnapshot | undefined> {
  const { random } = context;
  const { from, to, place, code } = pickRental(context, account);
  const body = {
    ...{ date_from: from, time_from: "10:00", date_to: to, time_to: "10:00", category_code: code },
    ...{ pickup_place: place, return_place: place, valid_until: `${getDateAfter(20)}T12:00`, hold: random.chance(0.3) },
    customer: { name: "Quim", surname: `of ${account}`, email: `quote-${random.hex(10)}@example.com` },
  };
  const answer = await sendWithIdempotencyKey(context, {
    account,
    method: "POST",
    path: "/quotes",
    body,
    kind: "quotes",
    hasOtherName: true,
    mayBeUnsold: true,
  });
  return answer?.quote;
}

// An accepted quote is one reservation with the quote's link, however often its customer sends the acceptance.
async function accept(context: WriterContext, account: AccountName, { link }: QuoteSnapshot): Promise<void> {
  const { client, random } = context;
  const freeAccessId = link.split("/").at(-1) ?? "";
  const call = createJsonCall({ account, method: "POST", path: `/quote/${freeAccessId}/accept` }, {});
  const question = { account, sql: BOOKED, values: [freeAccessId], before: 0, after: 1 };
  const reservation = await recordExpectation(context, `reservation of quote ${freeAccessId}`, question, async () => {
    const answer = await client.sendUntilAnswered(call);
    // Sold out.
    if (answer.status === 409) return undefined;
    if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
    return Number(parseJson(answer).reservation.id);
  });
  if (reservation === undefined || !random.chance(0.5)) return;
  const again = await client.sendUntilAnswered(call);
  if (again.status !== 200 || parseJson(again).reservation.id !== reservation)
    throw createUnexpectedAnswerError(call, again);
}
