import { agreedTotalOf } from "#domain/bookings/bookings.ts";
import { isSame } from "#domain/is-same.ts";
import type { ContractTransfer } from "#domain/transfers/agreed.ts";
import type { ChangedTransfer } from "#domain/transfers/change.ts";
import type { AgreedContract } from "./change.ts";
import type { AgreedExtra } from "./change-extras.ts";
import type { Contract } from "./contract.ts";
import { asAgreed } from "./ledger.ts";
import type { MovePlan } from "./plan.ts";

/** Whether what a plan agrees of a contract is what is agreed of it already, prices included. */
export function isAsItStands(contract: Contract, { agreed, transfer }: Pick<MovePlan, "agreed" | "transfer">): boolean {
  if (transfer) return contract.transfer !== undefined && isTransferAsItStands(contract, contract.transfer, transfer);
  return agreed === undefined || isRentalAsItStands(contract, agreed);
}

function isRentalAsItStands(contract: Contract, agreed: AgreedContract): boolean {
  const { brokenRules: _, idleCode: __, totals, ...parts } = agreed;
  const { lines, extras, days, period } = asAgreed(contract);
  const standing: typeof parts = {
    ...{ lines, days, period, extras: inOrder(extras) },
    pickupPlace: { id: contract.pickupPlaceId, name: contract.pickupPlace },
    returnPlace: { id: contract.returnPlaceId, name: contract.returnPlace },
    branchCode: contract.branchCode,
    returnBranchCode: contract.returnBranchCode,
    branchGroupId: contract.branchGroupId,
    promotionCode: contract.promotionCode,
    driverAge: contract.driverAge,
    driverAgeRuleId: contract.driverAgeRuleId,
  };
  const wished = {
    ...parts,
    lines: parts.lines.map(({ unitIds: _unitIds, ...line }) => line),
    extras: inOrder(parts.extras),
  };
  return isSame(wished, standing) && hasTotals({ ...contract.totals, totalCents: agreedTotalOf(contract) }, totals);
}

// Whoever asks says them in any order.
const inOrder = (extras: readonly AgreedExtra[]) => extras.toSorted((one, other) => (one.code < other.code ? -1 : 1));

// A transfer's supplements are kept where a rental's closing is.
function isTransferAsItStands(contract: Contract, before: ContractTransfer, after: ChangedTransfer): boolean {
  const { totals, period, branchCode, branchGroupId, extras, ...parts } = after;
  const { driven: _, extras: extrasBefore, ...partsBefore } = before;
  const byId = (all: typeof extras) => all.toSorted((one, other) => one.id - other.id);
  return (
    isSame({ ...parts, extras: byId(extras) }, { ...partsBefore, extras: byId(extrasBefore) }) &&
    isSame([period, branchCode, branchGroupId], [contract.period, contract.branchCode, contract.branchGroupId]) &&
    hasTotals({ ...contract.totals, supplementsCents: contract.closingCents[0] }, totals)
  );
}

function hasTotals<Sums extends object>(standing: Sums, wished: Sums): boolean {
  return (Object.keys(wished) as (keyof Sums)[]).every((name) => isSame(standing[name], wished[name]));
}
