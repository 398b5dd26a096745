import { type AccountName, parseJson } from "#tools/platform/client.ts";
import { type ChaosWriter, pickRental } from "./context.ts";
import { sendDeskRequest } from "./desk.ts";
import { sendToOffice } from "./office-requests.ts";
import { applyReservationAction, RESERVATIONS_PATH } from "./reservation-actions.ts";

const ADDRESS = { street: "Carrer de Sant Miquel 1", city: "Palma", zip: "07002", country: "ES" };

/** Creates desk staff who exchange a printed simplified invoice for a full one, once. */
export function createExchangeWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const { from, to, place, code } = pickRental(context, account);
    const token = context.staffTokens[account];
    const road = { account, token, path: RESERVATIONS_PATH, method: "POST" };
    const when = { date_from: from, time_from: "10:00", date_to: to, time_to: "10:00" };
    const where = { pickup_place: place, return_place: place, category_code: code };
    const customer = { name: "Sim", surname: `of ${account}` };
    const soldReservation = await applyReservationAction(
      context,
      { ...road, reservation: undefined },
      { ...when, ...where, customer },
    );
    if (!soldReservation) return;
    const desk = { account, token, bookingId: soldReservation.id };
    const documents = `/api/v1/booking/${soldReservation.id}/documents`;
    const invoiceWork = { what: "invoice", bookingId: soldReservation.id } as const;
    const invoiced = await sendDeskRequest(context, desk, documents, { advance: "15.00" }, invoiceWork);
    if (invoiced.status !== 200) return;
    const [simplified] = parseJson(invoiced).invoices;
    const known = { document_id: `CHAOS${context.random.hex(8).toUpperCase()}`, address: ADDRESS };
    const path = `${RESERVATIONS_PATH}/${soldReservation.id}`;
    const { reservation } = await sendToOffice(context, {
      account,
      method: "GET",
      path: `/reservations/${soldReservation.id}`,
    });
    const currentReservation = { ...soldReservation, version: Number(reservation.version) };
    const customerChange = { expected_version: currentReservation.version, customer: known };
    const changed = await applyReservationAction(
      context,
      { ...road, path, method: "PATCH", reservation: currentReservation },
      customerChange,
    );
    if (!changed || !simplified) return;
    const exchange = { what: "exchange", bookingId: soldReservation.id, documentId: Number(simplified.id) } as const;
    await sendDeskRequest(context, desk, `/api/v1/documents/${simplified.id}/exchange`, {}, exchange);
  };
}
