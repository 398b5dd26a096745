import { type Account, type DeskMoney, type Settlement, settle } from "#domain/check-in/settlement.ts";
import type { Booking, Extras } from "../api/messages.ts";
import type { Draft, OutboxItem } from "../offline/items.ts";
import { isBack, isSetAside } from "./entries.ts";
import { toCents } from "./money.ts";
import { itemsByBooking } from "./outbox.ts";

/** What the open work adds to a contract, and what extras that it sells leave of the deposit; in minor units. */
interface Added {
  readonly addedCents?: number;
  readonly depositCents?: number | undefined;
}

const lower = (cents: number, other = cents): number => Math.min(cents, other);

/** A booking's money before some work, in minor units: what the server told, and what this phone did since. */
export function getBookingAccount(
  booking: Booking,
  isReturn: boolean,
  { addedCents = 0, depositCents }: Added = {},
): Account {
  const { amounts, deposit } = booking;
  const serverAccount: Account = {
    totalCents: parseCents(amounts.total_cost),
    // An agent's part is paid for whoever stands at the desk.
    paidCents: parseCents(amounts.total_cost) - parseCents(amounts.total_pending),
    depositCents: lower(parseCents(deposit.total), depositCents),
    heldCents: parseCents(deposit.held),
    addedCents,
    isReturn,
  };
  return listUnreportedItems(booking).reduce(withWork, serverAccount);
}

/** Where a booking's money stands with what this phone did, and nothing is being done. */
export function getBookingSettlement(booking: Booking): Settlement {
  const { booking_id, resources, status } = booking;
  const isOver = status === "cancelled" || resources.every((unit) => isBack(unit, booking_id));
  return settle(getBookingAccount(booking, isOver), []);
}

/** Work of this phone that the booking does not tell of yet. */
function listUnreportedItems({ booking_id, operations }: Booking): readonly OutboxItem[] {
  const serverAccount = new Set(operations.map(({ op_id }) => op_id));
  const mine = itemsByBooking.value.get(booking_id) ?? [];
  return mine.filter((item) => !serverAccount.has(item.op_id) && !isSetAside(item) && item.reason !== "conflict");
}

function withWork(account: Account, { operation, added_cents = 0, deposit_cents, reason }: OutboxItem): Account {
  // What the server does not have is done again or never: it changes nothing yet.
  if (reason === "rejected") return account;
  const sum = (kind: DeskMoney["kind"]) =>
    toDeskMoney(operation.charges ?? []).reduce(
      (total, deskMoney) => (deskMoney.kind === kind ? total + deskMoney.amountCents : total),
      0,
    );
  return {
    ...account,
    totalCents: account.totalCents + added_cents,
    depositCents: lower(account.depositCents, deposit_cents),
    paidCents: account.paidCents + sum("payment") + sum("deposit_kept"),
    heldCents: account.heldCents + sum("deposit_taken") - sum("deposit_kept") - sum("deposit_returned"),
  };
}

/** What was recorded, in minor units; an amount that is none counts nothing. */
export const toDeskMoney = (charges: Draft["charges"]): readonly DeskMoney[] =>
  charges.flatMap(({ kind, amount }) => {
    const amountCents = toCents(amount);
    return amountCents ? [{ kind, amountCents }] : [];
  });

/** What extras of work that is done again cost, by what the phone was told; undefined where none is sold. */
export function soldAgain(extras: Draft["extras"] = [], serverAccount: Extras | undefined): Draft["sold"] {
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

/** What extras that are sold cost together, in minor units. */
export const soldCents = ({ extras, sold = {} }: Pick<Draft, "extras" | "sold">): number =>
  extras.reduce((total, { extra_code, quantity }) => total + quantity * (sold[extra_code]?.cents ?? 0), 0);

/** What extras that are sold leave of the contract's deposit, in minor units; undefined where none lowers it. */
export const getRemainingDeposit = ({ extras, sold = {} }: Pick<Draft, "extras" | "sold">): number | undefined => {
  const depositCents = extras.flatMap(({ extra_code }) => sold[extra_code]?.deposit_cents ?? []);
  return depositCents.length > 0 ? Math.min(...depositCents) : undefined;
};

// The server writes what was given back below zero.
function parseCents(amount: string): number {
  return amount.startsWith("-") ? -(toCents(amount.slice(1)) ?? 0) : (toCents(amount) ?? 0);
}
