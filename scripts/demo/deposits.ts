import type { Cents } from "#domain/money.ts";
import { afterRentalPaper } from "./contract-papers.ts";
import { type Ledger, pay, sourceOf } from "./ledger.ts";
import { totalOf } from "./papers.ts";
import { deskMethod } from "./payment-methods.ts";
import type { CustomerType } from "./people.ts";

const MINUTES_PER_DAY = 1440;
const WITHOUT_DEPOSIT: readonly CustomerType[] = ["group_company", "internal_department"];

/** Holds the deposit while the vehicle is out, and gives it back but for what it pays. */
export function holdDeposit(ledger: Ledger, isDone: boolean): void {
  const { deliveredAt, collectedAt } = ledger.contract.rental;
  const cents = heldCents(ledger);
  const method = deskMethod(ledger.till, cents);
  pay(ledger, { at: deliveredAt, cents, method, source: "deposit_received", paper: undefined });
  if (isDone)
    pay(ledger, {
      at: collectedAt,
      cents: cents - keptCents(ledger),
      method,
      type: "payment",
      source: "deposit_returned",
      paper: undefined,
    });
}

function heldCents({ contract, depositReductionCents }: Ledger): Cents {
  if (WITHOUT_DEPOSIT.includes(contract.customer.type)) return 0;
  return contract.draft.totals.totalDepositCents - depositReductionCents;
}

/** What the deposit pays of the damage: all of it, or nothing where too little is held. */
function keptCents(ledger: Ledger): Cents {
  const { afterRental } = ledger.contract;
  return afterRental?.charge.keptFromDeposit && heldCents(ledger) >= afterRental.cents ? afterRental.cents : 0;
}

/** Charges what was found at collection. */
export function chargeAfterRental(ledger: Ledger): void {
  const { contract, till } = ledger;
  if (!contract.afterRental) return;
  const paper = afterRentalPaper(
    till,
    contract,
    Math.min(till.now, contract.rental.collectedAt + till.random.between(20, 2 * MINUTES_PER_DAY)),
  );
  ledger.papers.push(paper);
  if (paper.isDraft) return;
  pay(ledger, {
    at: paper.createdAt,
    cents: totalOf(paper),
    method: "credit_card",
    source: sourceOf(paper),
    paper,
    isDepositKept: keptCents(ledger) > 0,
  });
}
