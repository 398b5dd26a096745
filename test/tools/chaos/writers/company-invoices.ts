import { type AccountName, createJsonCall, createUnexpectedAnswerError } from "#tools/platform/client.ts";
import { type ChaosWriter, pickRental, type WriterContext } from "./context.ts";
import { sendToOffice, sendWithIdempotencyKey } from "./office-requests.ts";
import { recordExpectation } from "./record-expectations.ts";
import { applyReservationAction, RESERVATIONS_PATH } from "./reservation-actions.ts";

const COLLECTIVE = "SELECT 1 FROM documents WHERE uid LIKE 'collective:%' AND customer_id = ?";
const CONTROL_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";

/**
 * Creates an office user who sells two rentals to a company, invoices them together, records a payment of the invoice
 * and previews a credit note.
 */
export function createCompanyInvoicesWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const payer = await createPayer(context, account);
    if (payer === undefined) return;
    const sales = [await sell(context, account, payer), await sell(context, account, payer)];
    const ids = sales.flatMap((id) => id ?? []);
    if (ids.length === 0) return;
    const ask = (path: string, body: object | undefined, refusals: readonly number[] = []) =>
      sendToOffice(context, { account, method: "POST", path }, body, refusals);
    await ask(`/reservations/${ids[0]}/documents/quote`, undefined, [409]);
    const collective = { customer_id: payer, reservation_ids: ids };
    await ask("/documents/collective/quote", collective, [409]);
    const question = { account, sql: COLLECTIVE, values: [payer], before: 0, after: 1 };
    const issued = await recordExpectation(context, `collective invoice of ${payer}`, question, () =>
      write(context, account, "/documents/collective", collective),
    );
    if (!issued) return;
    const { id } = issued.document;
    const payment = { amount: "10.00", payment_method_id: "bank_transfer" };
    await write(context, account, `/documents/${id}/charges`, payment);
  };
}

const write = (context: WriterContext, account: AccountName, path: string, body: object) =>
  sendWithIdempotencyKey(context, { account, method: "POST", path, body, kind: "documents" });

async function createPayer(context: WriterContext, account: AccountName): Promise<number | undefined> {
  const number = context.random.between(10_000_000, 99_999_999);
  const body = {
    ...{ name: "Obra", surname: `of ${account}`, document_id: `${number}${CONTROL_LETTERS[number % 23]}` },
    ...{ address_street: "Calle Mayor 1", address_city: "Palma", address_zip: "07001", address_country: "ES" },
    ...{ payment_terms_days: 30, confirm_new: true },
  };
  const answer = await sendWithIdempotencyKey(context, {
    account,
    method: "POST",
    path: "/customers",
    body,
    kind: "customers",
  });
  return answer?.customer.id;
}

async function sell(context: WriterContext, account: AccountName, payer: number): Promise<number | undefined> {
  const { from, to, place, code } = pickRental(context, account);
  const reservation = await applyReservationAction(
    context,
    { account, token: context.staffTokens[account], path: RESERVATIONS_PATH, method: "POST", reservation: undefined },
    {
      ...{ date_from: from, time_from: "10:00", date_to: to, time_to: "10:00", category_code: code },
      ...{ pickup_place: place, return_place: place, status: "confirmed", billing_customer_id: payer },
      customer: { name: "Olga", surname: `of ${account}`, phone: "+34600111222" },
      confirm_new: true,
    },
  );
  return reservation?.id;
}

/** Creates an office user who previews credit notes and lets the accounting system try documents again. */
export function createDocumentChecksWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const { client, random, staffTokens, accountData } = context;
    const id = random.pick(accountData[account].invoices);
    const path = `/documents/${id}/retry-integration`;
    await sendWithIdempotencyKey(context, { account, method: "POST", path, kind: "documents", id: String(id) });
    const quoteTarget = { account, method: "POST", path: `/api/v1/documents/${id}/credit-note/quote` };
    const call = createJsonCall(quoteTarget, { amount: "0.01" }, staffTokens[account]);
    const answer = await client.sendUntilAnswered(call);
    // A credit note, or credited in full.
    if (answer.status !== 200 && answer.status !== 409) throw createUnexpectedAnswerError(call, answer);
  };
}
