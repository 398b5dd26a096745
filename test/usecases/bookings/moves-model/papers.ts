import type { ChargeKind } from "#domain/payments/charges.ts";
import { creditDocument, issueDraft } from "#worker/usecases/documents/credit-document.ts";
import { exchangeDocument } from "#worker/usecases/documents/exchange-document.ts";
import { invoiceContract } from "#worker/usecases/documents/invoice-contract.ts";
import type { StaffContext } from "#worker/usecases/documents/staff-context.ts";
import { enterCharge } from "#worker/usecases/payments/enter-charge.ts";
import { type Doors, type Known, type Life, rows, someTenant } from "./life.ts";

/** Somebody at the desk who may do all of it, over a network that fails now and then. */
export function someDesk(life: Life): StaffContext {
  return { tenant: someTenant(life), staff: { userId: 3, role: "administrator", branches: "all" }, now: life.now };
}

/** Money at the desk, of whatever kind. */
export async function enter(life: Life, of: Known, kind: ChargeKind, cents: number): Promise<boolean> {
  if (cents <= 0) return false;
  const charge = { requestId: crypto.randomUUID(), bookingId: of.id, kind, cents, method: "cash" as const };
  const nothing = { externalOperationNumber: undefined, offlinePhysicalDeviceId: undefined };
  return (await enterCharge(someDesk(life), { ...charge, ...nothing })).ok;
}

interface Paper {
  readonly id: number;
  readonly total_cents: number;
}

/** What the desk does with papers and deposits: advances, drafts, credit, exchange, money that is held. */
export function paperDoors(life: Life): Doors {
  const paperOf = async ({ id }: Known, condition: string) =>
    (await rows<Paper>(`SELECT id, total_cents FROM documents WHERE booking_id = ${id} AND ${condition} LIMIT 1`))[0];
  const heldOf = async ({ id }: Known) =>
    (
      await rows<{
        cents: number;
      }>(`SELECT coalesce(sum(iif(source_doc = 'deposit_received', 1, -1) * amount_cents), 0) AS cents
        FROM charges WHERE booking_id = ${id} AND virtual = 1`)
    )[0]?.cents ?? 0;
  const someHeld = async (of: Known) => {
    if ((await heldOf(of)) === 0) await enter(life, of, "deposit_received", 30_000);
    return some(await heldOf(of));
  };
  const some = (cents: number) => life.random.pick([cents, Math.ceil(cents / 3)]);
  const invoice = async ({ id }: Known, issued: boolean, advanceCents?: number) =>
    (await invoiceContract(someDesk(life), { requestId: crypto.randomUUID(), bookingId: id, advanceCents, issued })).ok;
  return {
    invoicesInAdvance: (of) => invoice(of, true, some(Math.ceil(of.total_cents / 2))),
    drafts: (of) => invoice(of, false),
    invoices: (of) => invoice(of, true),
    issuesDraft: async (of) => {
      const draft = await paperOf(of, "invoice_status = 'draft'");
      const request = { requestId: crypto.randomUUID(), documentId: draft?.id ?? 0 };
      return (await issueDraft(someDesk(life), request)).ok;
    },
    credits: async (of) => {
      const paper = await paperOf(of, "invoice_status = 'invoice' AND invoice_type = 'invoice' AND total_cents > 0");
      if (!paper) return false;
      const cents = life.random.pick([undefined, Math.ceil(paper.total_cents / 3)]);
      const request = { requestId: crypto.randomUUID(), documentId: paper.id, cents };
      return (await creditDocument(someDesk(life), request)).ok;
    },
    exchanges: async (of) => {
      const paper = await paperOf(of, "form = 'simplified' AND invoice_status = 'invoice'");
      await someoneSaysWho(of);
      const request = { requestId: crypto.randomUUID(), documentId: paper?.id ?? 0, others: [] };
      return (await exchangeDocument(someDesk(life), request)).ok;
    },
    holdsDeposit: (of) => enter(life, of, "deposit_received", 30_000),
    keepsOfDeposit: async (of) => enter(life, of, "deposit_kept", await someHeld(of)),
    returnsDeposit: async (of) => enter(life, of, "deposit_returned", await someHeld(of)),
  };
}

// What a full invoice needs is told at the desk.
async function someoneSaysWho({ id }: Known): Promise<void> {
  await rows(`UPDATE bookings SET customer_document_id = coalesce(customer_document_id, '12345678Z'),
    contract_data = json_set(contract_data, '$.customer_address_street', 'Gran Via 1', '$.customer_address_city', 'Palma') WHERE id = ${id}`);
}
