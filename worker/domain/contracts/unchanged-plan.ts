import { getTotalWithoutClosing } from "#domain/bookings/bookings.ts";
import { isDeepEqual } from "#domain/deep-equal.ts";
import type { ContractTransfer } from "#domain/transfers/agreed.ts";
import type { ChangedTransfer } from "#domain/transfers/change.ts";
import type { AgreedContract } from "./change.ts";
import type { AgreedExtra } from "./change-extras.ts";
import type { Contract } from "./contract.ts";
import { toAgreedLedgerTerms } from "./ledger.ts";
import type { ActionPlan } from "./plan.ts";

/** Whether a plan's result equals the contract's current state, prices included. */
export function isPlanUnchanged(
  contract: Contract,
  { agreed, transfer }: Pick<ActionPlan, "agreed" | "transfer">,
): boolean {
  if (transfer) return contract.transfer !== undefined && isTransferUnchanged(contract, contract.transfer, transfer);
  return agreed === undefined || isRentalUnchanged(contract, agreed);
}

function isRentalUnchanged(contract: Contract, agreed: AgreedContract): boolean {
  const { brokenRules: _, idleCode: __, totals, ...parts } = agreed;
  const { lines, extras, days, period } = toAgreedLedgerTerms(contract);
  const currentParts: typeof parts = {
    ...{ lines, days, period, extras: inOrder(extras) },
    pickupPlace: { id: contract.pickupPlaceId, name: contract.pickupPlace },
    returnPlace: { id: contract.returnPlaceId, name: contract.returnPlace },
    branchCode: contract.branchCode,
    returnBranchCode: contract.returnBranchCode,
    branchGroupId: contract.branchGroupId,
    promotionCode: contract.promotionCode,
    driverAge: contract.driverAge,
    driverAgeRuleId: contract.driverAgeRuleId,
    discount: contract.discount,
  };
  const plannedTerms = {
    ...parts,
    lines: parts.lines.map(({ unitIds: _unitIds, ...line }) => line),
    extras: inOrder(parts.extras),
  };
  return (
    isDeepEqual(plannedTerms, currentParts) &&
    hasTotals({ ...contract.totals, totalCents: getTotalWithoutClosing(contract) }, totals)
  );
}

// Clients may send the extras in any order.
const inOrder = (extras: readonly AgreedExtra[]) =>
  extras.toSorted((extra, other) => (extra.code < other.code ? -1 : 1));

// A transfer stores its supplements in the closing fields of a rental.
function isTransferUnchanged(contract: Contract, before: ContractTransfer, after: ChangedTransfer): boolean {
  const { totals, discount, period, branchCode, branchGroupId, extras, ...parts } = after;
  const { driven: _, extras: extrasBefore, ...partsBefore } = before;
  const byId = (all: typeof extras) => all.toSorted((agreedTransferExtra, other) => agreedTransferExtra.id - other.id);
  return (
    isDeepEqual({ ...parts, extras: byId(extras) }, { ...partsBefore, extras: byId(extrasBefore) }) &&
    isDeepEqual([period, branchCode, branchGroupId], [contract.period, contract.branchCode, contract.branchGroupId]) &&
    isDeepEqual(discount, contract.discount) &&
    hasTotals({ ...contract.totals, supplementsCents: contract.closingCents[0] }, totals)
  );
}

function hasTotals<Sums extends object>(currentParts: Sums, plannedParts: Sums): boolean {
  return (Object.keys(plannedParts) as (keyof Sums)[]).every((name) =>
    isDeepEqual(currentParts[name], plannedParts[name]),
  );
}
