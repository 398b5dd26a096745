import type { ChargeKind } from "#domain/payments/charges.ts";
import { issueCreditNote, issueDraftDocument } from "#worker/usecases/documents/credit-document.ts";
import { exchangeForFullInvoice } from "#worker/usecases/documents/exchange-document.ts";
import { invoiceContract } from "#worker/usecases/documents/invoice-contract.ts";
import type { StaffContext } from "#worker/usecases/documents/staff-context.ts";
import { enterDeskCharge } from "#worker/usecases/payments/enter-charge.ts";
import {
  type KnownBooking,
  type ModelActions,
  type ModelState,
  openFaultyTenant,
  readAcmeRows,
} from "./contract-life.ts";

/** Creates a desk user with all rights and occasional network faults. */
function createDesk(life: ModelState): StaffContext {
  return {
    tenant: openFaultyTenant(life),
    staff: { userId: 3, role: "administrator", branches: "all" },
    factor: "fresh",
    now: life.now,
  };
}

/** Records a payment of any kind at the desk. */
export async function enterPositiveCharge(
  life: ModelState,
  booking: KnownBooking,
  kind: ChargeKind,
  cents: number,
): Promise<boolean> {
  if (cents <= 0) return false;
  const charge = { requestId: crypto.randomUUID(), bookingId: booking.id, kind, cents, method: "cash" as const };
  const nothing = { externalOperationNumber: undefined, offlinePhysicalDeviceId: undefined };
  return (await enterDeskCharge(createDesk(life), { ...charge, ...nothing })).ok;
}

interface PrintedDocument {
  readonly id: number;
  readonly total_cents: number;
}

/** Desk actions on documents and deposits: advances, drafts, credit notes, exchanges and held money. */
export function createDocumentActions(life: ModelState): ModelActions {
  const findDocument = async ({ id }: KnownBooking, condition: string) =>
    (
      await readAcmeRows<PrintedDocument>(
        `SELECT id, total_cents FROM documents WHERE booking_id = ${id} AND ${condition} LIMIT 1`,
      )
    )[0];
  const getHeldCents = async ({ id }: KnownBooking) =>
    (
      await readAcmeRows<{
        cents: number;
      }>(`SELECT coalesce(sum(iif(source_doc = 'deposit_received', 1, -1) * amount_cents), 0) AS cents
        FROM charges WHERE booking_id = ${id} AND virtual = 1`)
    )[0]?.cents ?? 0;
  const getRandomHeldCents = async (booking: KnownBooking) => {
    if ((await getHeldCents(booking)) === 0) await enterPositiveCharge(life, booking, "deposit_received", 30_000);
    return some(await getHeldCents(booking));
  };
  const some = (cents: number) => life.random.pick([cents, Math.ceil(cents / 3)]);
  const invoice = async ({ id }: KnownBooking, issued: boolean, advanceCents?: number) =>
    (await invoiceContract(createDesk(life), { requestId: crypto.randomUUID(), bookingId: id, advanceCents, issued }))
      .ok;
  return {
    invoicesInAdvance: (booking) => invoice(booking, true, some(Math.ceil(booking.total_cents / 2))),
    drafts: (booking) => invoice(booking, false),
    invoices: (booking) => invoice(booking, true),
    issuesDraft: async (booking) => {
      const draft = await findDocument(booking, "invoice_status = 'draft'");
      const request = { requestId: crypto.randomUUID(), documentId: draft?.id ?? 0 };
      return (await issueDraftDocument(createDesk(life), request)).ok;
    },
    credits: async (booking) => {
      const document = await findDocument(
        booking,
        "invoice_status = 'invoice' AND invoice_type = 'invoice' AND total_cents > 0",
      );
      if (!document) return false;
      const cents = life.random.pick([undefined, Math.ceil(document.total_cents / 3)]);
      const request = { requestId: crypto.randomUUID(), documentId: document.id, cents };
      return (await issueCreditNote(createDesk(life), request)).ok;
    },
    exchanges: async (booking) => {
      const document = await findDocument(booking, "form = 'simplified' AND invoice_status = 'invoice'");
      await setInvoiceCustomer(booking);
      const request = { requestId: crypto.randomUUID(), documentId: document?.id ?? 0, otherDocumentIds: [] };
      return (await exchangeForFullInvoice(createDesk(life), request)).ok;
    },
    holdsDeposit: (booking) => enterPositiveCharge(life, booking, "deposit_received", 30_000),
    keepsOfDeposit: async (booking) =>
      enterPositiveCharge(life, booking, "deposit_kept", await getRandomHeldCents(booking)),
    returnsDeposit: async (booking) =>
      enterPositiveCharge(life, booking, "deposit_returned", await getRandomHeldCents(booking)),
  };
}

// Adds the data that a full invoice needs.
async function setInvoiceCustomer({ id }: KnownBooking): Promise<void> {
  await readAcmeRows(`UPDATE bookings SET customer_document_id = coalesce(customer_document_id, '12345678Z'),
    contract_data = json_set(contract_data, '$.customer_address_street', 'Gran Via 1', '$.customer_address_city', 'Palma') WHERE id = ${id}`);
}
