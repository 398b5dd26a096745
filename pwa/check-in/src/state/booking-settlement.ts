import {
  type ContractAmounts,
  calculateHandOverSettlement,
  type DeskChargeAmount,
  type HandOverSettlement,
} from "#domain/check-in/settlement.ts";
import type { Booking, Extras } from "../api/messages.ts";
import type { OutboxItem, WorkDraft } from "../offline/items.ts";
import { isPermanentlyRejected, isUnitReturned } from "./day-entries.ts";
import { toCents } from "./money.ts";
import { itemsByBooking } from "./outbox.ts";

/** Amount that the open work adds to a contract and the deposit remaining after its extras, in minor units. */
interface Added {
  readonly addedCents?: number;
  readonly depositCents?: number | undefined;
}

/** Calculates a booking's balance before some work, in minor units, from server data and later work on this device. */
export function getContractAmounts(
  booking: Booking,
  isReturn: boolean,
  { addedCents = 0, depositCents }: Added = {},
): ContractAmounts {
  const { amounts, deposit } = booking;
  const serverAccount: ContractAmounts = {
    totalCents: parseCents(amounts.total_cost),
    // The agent's part doesn't concern the customer at the desk and counts as paid.
    paidCents: parseCents(amounts.total_cost) - parseCents(amounts.total_pending),
    depositCents: getDepositInMoney(deposit, depositCents),
    heldCents: parseCents(deposit.held),
    addedCents,
    isReturn,
  };
  return listUnreportedItems(booking).reduce((account, item) => withWork(account, item, deposit), serverAccount);
}

// Returns the deposit to collect as money: the total, which extras may have lowered, minus the amount held on
// a card. Only the office can release a card hold.
function getDepositInMoney({ total, held, pending }: Booking["deposit"], loweredCents?: number): number {
  const totalCents = parseCents(total);
  const cardHeldCents = Math.max(0, totalCents - parseCents(held) - parseCents(pending));
  return Math.max(0, Math.min(totalCents, loweredCents ?? totalCents) - cardHeldCents);
}

/** Calculates a booking's balance, including finished work on this device but no open work. */
export function getBookingSettlement(booking: Booking): HandOverSettlement {
  const { booking_id, resources, status } = booking;
  const isOver = status === "cancelled" || resources.every((unit) => isUnitReturned(unit, booking_id));
  return calculateHandOverSettlement(getContractAmounts(booking, isOver), []);
}

/** Lists this device's work that the booking data doesn't include yet. */
function listUnreportedItems({ booking_id, operations }: Booking): readonly OutboxItem[] {
  const serverAccount = new Set(operations.map(({ op_id }) => op_id));
  const outboxItems = itemsByBooking.value.get(booking_id) ?? [];
  return outboxItems.filter(
    (item) => !serverAccount.has(item.op_id) && !isPermanentlyRejected(item) && item.reason !== "conflict",
  );
}

function withWork(
  account: ContractAmounts,
  { operation, added_cents = 0, deposit_cents, reason }: OutboxItem,
  deposit: Booking["deposit"],
): ContractAmounts {
  // Rejected work isn't on the server, so it doesn't count.
  if (reason === "rejected") return account;
  const sum = (kind: DeskChargeAmount["kind"]) =>
    toDeskChargeAmounts(operation.charges ?? []).reduce(
      (total, deskMoney) => (deskMoney.kind === kind ? total + deskMoney.amountCents : total),
      0,
    );
  return {
    ...account,
    totalCents: account.totalCents + added_cents,
    depositCents: Math.min(account.depositCents, getDepositInMoney(deposit, deposit_cents)),
    paidCents: account.paidCents + sum("payment") + sum("deposit_kept"),
    heldCents: account.heldCents + sum("deposit_taken") - sum("deposit_kept") - sum("deposit_returned"),
  };
}

/** Converts recorded payments and deposit movements to minor units. Invalid amounts are ignored. */
export const toDeskChargeAmounts = (charges: WorkDraft["charges"]): readonly DeskChargeAmount[] =>
  charges.flatMap(({ kind, amount }) => {
    const amountCents = toCents(amount);
    return amountCents ? [{ kind, amountCents }] : [];
  });

/** Returns the stored prices of extras in rejected work that is recorded again. Undefined without extras. */
export function getSoldExtraPrices(
  extras: WorkDraft["extras"] = [],
  serverAccount: Extras | undefined,
): WorkDraft["sold"] {
  if (extras.length === 0) return undefined;
  const offered = (serverAccount?.data ?? []).filter(({ extra_code }) =>
    extras.some((extra) => extra.extra_code === extra_code),
  );
  return Object.fromEntries(
    offered.map(({ extra_code, name, unit_price, total_deposit }) => [
      extra_code,
      {
        ...{ name, cents: toCents(unit_price) ?? 0 },
        ...(total_deposit !== undefined && { deposit_cents: toCents(total_deposit) ?? 0 }),
      },
    ]),
  );
}

/** Sums the prices of sold extras, in minor units. */
export const calculateSoldExtrasCents = ({ extras, sold = {} }: Pick<WorkDraft, "extras" | "sold">): number =>
  extras.reduce((total, { extra_code, quantity }) => total + quantity * (sold[extra_code]?.cents ?? 0), 0);

/** Returns the contract deposit remaining after the extras sold, in minor units. Undefined if no extra lowers it. */
export const getDepositCentsAfterExtras = ({
  extras,
  sold = {},
}: Pick<WorkDraft, "extras" | "sold">): number | undefined => {
  const depositCents = extras.flatMap(({ extra_code }) => sold[extra_code]?.deposit_cents ?? []);
  return depositCents.length > 0 ? Math.min(...depositCents) : undefined;
};

// Parses an amount. The server sends refunds as negative amounts.
function parseCents(amount: string): number {
  return amount.startsWith("-") ? -(toCents(amount.slice(1)) ?? 0) : (toCents(amount) ?? 0);
}
