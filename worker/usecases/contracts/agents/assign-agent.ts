import { canDiscountOrWaive } from "#domain/access/rights.ts";
import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import {
  type CommissionTerms,
  calculateAgentSurplus,
  calculateCommission,
} from "#domain/contracts/agent-commission.ts";
import type { Cents } from "#domain/money.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { agentQuery, bookingCommissionQuery } from "#worker/store/bookings/commissions.ts";
import { contractQueries, toContract } from "#worker/store/contracts/contract-rows.ts";
import { reservationQueries } from "#worker/store/contracts/reservations.ts";
import { bookingActionStatements } from "#worker/store/contracts/write-action.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import { updatePaidAmountStatements } from "#worker/store/payments/charges.ts";
import { createVersionConflictRefusal, toReservationAnswer } from "#worker/usecases/contracts/read-reservation.ts";
import type { OfficeRefusal, OfficeWrite, ReservationAnswer } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";

/** Agent of a reservation, and the amount that the agent already collected. */
export interface ReservationAgentInput {
  readonly bookingId: number;
  readonly expectedVersion: number;
  /** Agent to set. Undefined removes the current one. */
  readonly agentId: number | undefined;
  /** Amount that the agent already collected, in minor units. */
  readonly prepaidCents: Cents;
}

/**
 * Sets, changes or removes a reservation's agent. The agent's current terms apply, and the commission follows
 * the price. The customer doesn't owe what the agent already collected, so it must be set before the first
 * document. If the agent collected more than the commission, the company gives the excess away, up to the
 * user's limit. Two round trips.
 */
export function setReservationAgent(
  write: OfficeWrite,
  agentInput: ReservationAgentInput,
): Promise<Result<StaffAnswer<ReservationAnswer>, OfficeRefusal>> {
  const { tenant, now } = write;
  const { db } = tenant;
  const { bookingId, expectedVersion, agentId, prepaidCents } = agentInput;
  return runOfficeWriteOnce(write, {
    right: "sell",
    content: { nameAgent: agentInput },
    read: () =>
      [...contractQueries(db, bookingId), agentQuery(db, agentId ?? 0), bookingCommissionQuery(db, bookingId)] as const,
    readBack: () => reservationQueries(db, bookingId),
    answer: (rows, { staff, catalogue }) => {
      const value = toReservationAnswer(rows, { staff, catalogue, now });
      return value ? ok(value) : err({ kind: "reservationNotFound" });
    },
    decide: async ({ rows, staff, actor, catalogue }) => {
      const [booking, lines, extras, units, transfer, [agent], [was]] = rows;
      const contract = toContract([booking, lines, extras, units, transfer]);
      if (!contract || !was || !canAccessBranch(staff, contract.branchCode, contract.returnBranchCode))
        return err({ kind: "reservationNotFound" });
      if (contract.version !== expectedVersion) return createVersionConflictRefusal(write, bookingId);
      const refused = refuseNaming(agentInput, { agent, was, totalCents: contract.totals.totalCents });
      if (refused) return refused;
      const limitCents = catalogue.settings.agentLimitCents;
      if (!mayGiveToAgent(staff, prepaidCents, { agent, was, limitCents }))
        return err({ kind: "aboveLimit", limitCents });
      const change = { agentId: agentId ?? null, agentCommissionPrepaidCents: prepaidCents };
      const entry = {
        at: now,
        actor,
        event: "changed" as const,
        before: { agent: was.agentName, agentKeptCents: was.prepaidCents },
        after: { agent: agent?.name ?? null, agentKeptCents: prepaidCents },
      };
      return ok({
        resource: String(bookingId),
        statements: [
          expectBookingVersionStatement(db, contract),
          ...bookingActionStatements(db, contract, change, entry),
          ...updatePaidAmountStatements(db, bookingId, now),
        ],
      });
    },
  });
}

// The terms at the time of booking apply as long as the agent stays.
function mayGiveToAgent(
  staff: SignedInUser,
  keptCents: Cents,
  {
    agent,
    was,
    limitCents,
  }: {
    readonly agent: (CommissionTerms & { readonly id: number }) | undefined;
    readonly was: {
      readonly agentId: number | null;
      readonly commissionCents: Cents;
      readonly baseCents: Cents;
      readonly prepaidCents: Cents;
    };
    readonly limitCents: Cents;
  },
): boolean {
  if (!agent) return true;
  const isSame = agent.id === was.agentId;
  const commissionCents = isSame ? was.commissionCents : calculateCommission(agent, was.baseCents);
  const before = { keptCents: was.prepaidCents, commissionCents: was.commissionCents };
  const cents = calculateAgentSurplus({ keptCents, commissionCents }, before);
  return cents === 0 || canDiscountOrWaive(staff, cents, limitCents);
}

function refuseNaming(
  { agentId, prepaidCents }: ReservationAgentInput,
  {
    agent,
    was,
    totalCents,
  }: {
    readonly agent: { readonly id: number } | undefined;
    readonly was: { readonly isSettled: boolean; readonly prepaidCents: Cents; readonly documentCount: number };
    readonly totalCents: Cents;
  },
): Result<never, OfficeRefusal> | undefined {
  if (agentId !== undefined && !agent) return invalid("agent_id", createReason("not_known"));
  if (agentId === undefined && prepaidCents > 0)
    return invalid("agent_comission_prepaid_amount", createReason("agent_required"));
  if (prepaidCents > totalCents) return invalid("agent_comission_prepaid_amount", createReason("above_cost"));
  if (was.isSettled) return err({ kind: "commissionSettled" });
  // If the agent collected more than the reduced price, the agent pays the difference back. A credit note
  // already contains this difference.
  const currentPrepaidCents = Math.min(was.prepaidCents, totalCents);
  return was.documentCount > 0 && prepaidCents !== currentPrepaidCents
    ? err({ kind: "commissionInvoiced" })
    : undefined;
}

function invalid(field: string, reason: Reason): Result<never, OfficeRefusal> {
  return err({ kind: "invalid", field, reason });
}
