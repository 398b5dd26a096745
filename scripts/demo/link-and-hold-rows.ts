import { MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { DemoCompany } from "./describe-company.ts";
import type { SettledContract } from "./settlement.ts";
import type { DemoTables, NewDemoRows } from "./tables.ts";

type LinkRow = DemoTables["paymentLinks"]["$inferInsert"];
type HoldRow = DemoTables["paymentHolds"]["$inferInsert"];

const LINK_DAYS = 7;
const HOLD_DAYS = 6;

interface PlannedLink {
  readonly contract: SettledContract;
  readonly purpose: LinkRow["purpose"];
  readonly status: LinkRow["status"];
  readonly cents: Cents;
  readonly createdAt: number;
  readonly hold?: Pick<HoldRow, "status" | "capturedCents">;
}

/** Creates payment links and card holds of every status. None if the company has no gateway for them. */
export function createLinkAndHoldRows(company: DemoCompany, contracts: readonly SettledContract[]): NewDemoRows {
  if (!company.settings.paymentMethods.includes("tpvA256")) return {};
  const links = planLinks(company, contracts).map((link, index) => ({ ...link, id: index + 1 }));
  const holds = links.flatMap((link) => (link.hold ? [{ ...link, hold: link.hold }] : []));
  const paid = holds.filter(({ hold }) => hold.status !== "requested");
  return {
    paymentLinks: links.map(({ id, contract, purpose, status, cents: amountCents, createdAt }) => ({
      ...{ id, bookingId: contract.id, token: toHex("b", id), purpose, amountCents, status, createdAt },
      expiresAt: createdAt + LINK_DAYS * MILLISECONDS_PER_DAY,
      lastUpdate: createdAt,
    })),
    paymentIntents: paid.map(({ id, contract, cents: amountCents, createdAt, hold: { status } }) => ({
      ...{ id: toHex("a", id), bookingId: contract.id, method: "tpvA256", part: "deposit", amountCents, linkId: id },
      orderReference: `9${String(id).padStart(11, "0")}`,
      currency: company.settings.currency,
      ...(status === "captured" ? ({ state: "paid", paidAt: createdAt } as const) : {}),
      ...(status === "authorised" && ({ state: "held" } as const)),
      ...(status === "released" && ({ state: "expired" } as const)),
      createdAt,
      expiresAt: createdAt + 60 * MILLISECONDS_PER_MINUTE,
    })),
    paymentHolds: holds.map(({ id, contract, cents: amountCents, createdAt, hold }, index) => ({
      ...{ id: index + 1, bookingId: contract.id, linkId: id, amountCents, ...hold },
      ...(hold.status !== "requested" && {
        intentId: toHex("a", id),
        expiresAt: createdAt + HOLD_DAYS * MILLISECONDS_PER_DAY,
      }),
      createdAt,
      lastUpdate: createdAt,
    })),
  };
}

const toHex = (letter: string, id: number) => id.toString(16).padStart(32, letter);

function planLinks(company: DemoCompany, contracts: readonly SettledContract[]): readonly PlannedLink[] {
  const now = company.toEpochMs(company.now);
  const isDirect = ({ agency, agent }: SettledContract) => agency === undefined && agent === undefined;
  const unpaid = contracts.filter(
    (contract) => isDirect(contract) && contract.status === "confirmed" && contract.payments.length === 0,
  );
  const secured = unpaid.filter(({ draft }) => draft.totals.totalDepositCents > 0);
  const [open, ended, dropped] = unpaid;
  const [requested, authorised] = secured.slice(-2);
  const payment = (contract: SettledContract | undefined, status: LinkRow["status"], daysAgo: number) =>
    contract && {
      ...({ contract, status, purpose: "payment", cents: contract.draft.totals.totalCents } as const),
      createdAt: now - daysAgo * MILLISECONDS_PER_DAY,
    };
  const hold = (contract: SettledContract | undefined, of: PlannedLink["hold"], createdAt: number) => {
    const status: LinkRow["status"] = of?.status === "requested" ? "open" : "authorised";
    const cents = contract?.draft.totals.totalDepositCents ?? 0;
    return contract && of && cents > 0 && { contract, status, cents, createdAt, purpose: "hold" as const, hold: of };
  };
  return [
    payment(open, "open", 1),
    payment(ended, "open", LINK_DAYS + 2),
    payment(dropped, "cancelled", 2),
    payment(findPaid(contracts), "paid", 3),
    hold(requested, { status: "requested" }, now - MILLISECONDS_PER_MINUTE),
    hold(authorised, { status: "authorised" }, now - MILLISECONDS_PER_MINUTE),
    ...listEnded(company, contracts).map(({ contract, captured }) =>
      hold(
        contract,
        captured > 0 ? { status: "captured", capturedCents: captured } : { status: "released" },
        company.toEpochMs(contract.span.startsAt) - MILLISECONDS_PER_MINUTE,
      ),
    ),
  ].flatMap((link) => link || []);
}

const findPaid = (contracts: readonly SettledContract[]): SettledContract | undefined =>
  contracts.findLast(({ status, payments: [payment] }) => status === "confirmed" && payment?.method === "tpvA_256");

// The last finished rental whose deposit paid its closing costs, and the last one without any.
function listEnded(company: DemoCompany, contracts: readonly SettledContract[]) {
  const ended = contracts.filter(
    ({ status, draft, span }) => status === "done" && draft.totals.totalDepositCents > 0 && span.endsAt < company.now,
  );
  const withCaptured = ended.map((contract) => {
    const captured = contract.payments.find(
      ({ isDepositKept, source }) => isDepositKept && source !== "deposit_returned",
    );
    return { contract, captured: Math.min(captured?.cents ?? 0, contract.draft.totals.totalDepositCents) };
  });
  return [
    withCaptured.findLast(({ captured }) => captured > 0),
    withCaptured.findLast(({ captured }) => captured === 0),
  ].flatMap((endedContract) => endedContract ?? []);
}
