import { isSamePromotionCode } from "#domain/bookings/promotion-code.ts";
import type { BookingField, InvalidInput, TransferField } from "#domain/bookings/refusals.ts";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { toCivilMinute } from "#domain/dates.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { ContractTransfer } from "#domain/transfers/agreed.ts";
import { type ChangedTransfer, changeTransfer, type TransferChangeRequest } from "#domain/transfers/change.ts";
import { type ActionRefusal, type BookingAction, findActionRefusal, findCustomerActionRefusal } from "./actions.ts";
import { calculateCancellationFee, calculateCancellationSums } from "./cancellation.ts";
import { type AgreedContract, changeContract, type RequestedContractChange } from "./change.ts";
import type { ActionTime, Contract } from "./contract.ts";
import { addVehicleUpgradePrice, findUnitToExchange } from "./exchange.ts";
import { countDeliveredUnits, groupFirstProductLines } from "./first-product.ts";
import { endContractEarly, extendContract, type NewReturnTime } from "./in-progress.ts";
import { type ChargeableExtra, priceSurcharge, type Surcharge, type SurchargeRequest } from "./surcharge.ts";

/**
 * Request that affects a contract's totals. Field work uses check-in operations instead. `action` is its name in the
 * office's API, and in the fingerprint by which a repeated request is recognized.
 */
export type ActionRequest =
  | { readonly action: "confirm" | "reopen" }
  | {
      readonly action: "change";
      readonly requestedChange: RequestedContractChange;
      /** For transfers, which have trips instead of a period. */
      readonly transfer?: TransferChangeRequest | undefined;
    }
  | { readonly action: "extend"; readonly to: NewReturnTime }
  | {
      readonly action: "early-return";
      /** Time of the return. Undefined for now. */
      readonly to: NewReturnTime | undefined;
    }
  | {
      readonly action: "cancel" | "no-show";
      /** Fee of the cancellation or no-show, which replaces the fee of the company's terms. */
      readonly feeCents: Cents | undefined;
    }
  | {
      readonly action: "exchange";
      readonly unitId: number | undefined;
      /** Price of a paid upgrade. */
      readonly upgradeCents: Cents | undefined;
    }
  | { readonly action: "assign" }
  | ({ readonly action: "surcharge" } & SurchargeRequest);

/** User, and the current time: civil in the account's time zone, and as an instant (epoch ms). */
export interface ActionContext {
  readonly now: CivilNow;
  readonly at: number;
  readonly isStaff: boolean;
  /** Author of a new discount. */
  readonly actor?: string | undefined;
  /** Whether only payer and invoicing period change. Staff may set these on a completed contract, too. */
  readonly isBillingOnly?: boolean;
  /** Extra that defines the text, tax and price of a surcharge. */
  readonly chargeable?: ChargeableExtra | undefined;
}

/** Effect of an action on a contract's totals, in minor units. */
export interface ActionPlan {
  readonly action: BookingAction;
  /** New agreed state. Absent if it doesn't change. */
  readonly agreed: AgreedContract | undefined;
  /** New agreed state of a transfer. */
  readonly transfer: ChangedTransfer | undefined;
  /** Change of the contract's total. */
  readonly differenceCents: Cents;
  readonly feeCents: Cents;
  /** Amount to refund after the action. */
  readonly toRefundCents: Cents;
  /** Amount given away beyond the company's terms: a waived fee or cancelled closing costs. */
  readonly forgoneCents: Cents;
  /** Surcharge added to a completed contract. */
  readonly surcharge?: Surcharge | undefined;
}

/**
 * Fields `fee`, `upgrade_price`, and a surcharge's `code`, `amount` and `damage`, in addition to those of rentals and
 * transfers.
 */
export type ActionPlanRefusal =
  | ActionRefusal
  | InvalidInput<TransferField | "transfer" | "fee" | "upgrade_price" | "code" | "amount" | "damage">;

/** Returns an action's effect and cost, or why it isn't possible (docs/interfaces/rules.md#actions). */
export function planAction(
  catalogue: Catalogue,
  contract: Contract,
  request: ActionRequest,
  context: ActionContext,
): Result<ActionPlan, ActionPlanRefusal> {
  const time = { at: context.at, civil: toCivilMinute(context.now.date, context.now.time) };
  const refusal = findRefusal(contract, request, context, time);
  if (refusal) return err(refusal);
  const planned = planAllowedAction(catalogue, contract, request, context, time);
  // A lower price needs a credit note, which an invoice whose tax was recovered can't have.
  if (planned.ok && contract.isTaxRecovered && planned.value.differenceCents < 0)
    return err({ kind: "actionNotAllowed", action: request.action, rule: "tax_recovered", status: contract.status });
  return planned;
}

function planAllowedAction(
  catalogue: Catalogue,
  contract: Contract,
  request: ActionRequest,
  context: ActionContext,
  time: ActionTime,
): Result<ActionPlan, ActionPlanRefusal> {
  switch (request.action) {
    case "confirm":
    case "assign":
      return ok(createPlan(request.action, contract, {}));
    case "change":
      return contract.transfer
        ? planTransferChange(catalogue, { ...contract, transfer: contract.transfer }, request, context)
        : planChange(catalogue, contract, request, context);
    case "extend":
      return planAgreed("extend", contract, extendContract(catalogue, contract, request.to, time));
    case "early-return":
      return planAgreed(
        "early-return",
        contract,
        endContractEarly(catalogue, contract, request.to ?? toReturnNow(context)),
      );
    case "cancel":
    case "no-show": {
      const occasion = request.action === "cancel" ? "cancellation" : "no_show";
      const byTerms = calculateCancellationFee(catalogue.cancellationTerms, occasion, contract, time);
      const feeCents = request.feeCents ?? byTerms;
      if (feeCents > contract.totals.totalCents)
        return err({ kind: "invalid", field: "fee", reason: createReason("fee_too_high") });
      const { toRefundCents } = calculateCancellationSums(contract, feeCents);
      const waivedCents = Math.max(0, byTerms - feeCents);
      return ok(createPlan(request.action, contract, { feeCents, toRefundCents, forgoneCents: waivedCents }));
    }
    case "exchange":
      return planExchange(catalogue, contract, request);
    case "reopen": {
      const closingCents = sumCents(contract.closingCents);
      return ok(createPlan("reopen", contract, { differenceCents: -closingCents }));
    }
    case "surcharge": {
      const priced = priceSurcharge(context.chargeable, request, context.now.date);
      if (!priced.ok) return priced;
      const { surcharge, forgoneCents } = priced.value;
      const plan = createPlan("surcharge", contract, { differenceCents: surcharge.extraCents, forgoneCents });
      return ok({ ...plan, surcharge });
    }
  }
}

const toReturnNow = ({ now: { date, time } }: ActionContext): NewReturnTime => ({ dateTo: date, timeTo: time });

function findRefusal(
  contract: Contract,
  { action }: ActionRequest,
  { isStaff, isBillingOnly = false }: ActionContext,
  time: ActionTime,
): ActionRefusal | undefined {
  if (!isStaff) return findCustomerActionRefusal(contract, action, time);
  if (isBillingOnly && action === "change" && contract.status === "done") return undefined;
  return findActionRefusal(contract, action, time);
}

function planExchange(
  catalogue: Catalogue,
  contract: Contract,
  { unitId, upgradeCents }: Extract<ActionRequest, { readonly action: "exchange" }>,
): Result<ActionPlan, ActionPlanRefusal> {
  if (!findUnitToExchange(contract, unitId))
    return err({ kind: "actionNotAllowed", action: "exchange", rule: "vehicle_not_out", status: contract.status });
  if (!upgradeCents) return ok(createPlan("exchange", contract, {}));
  return planAgreed("exchange", contract, addVehicleUpgradePrice(catalogue, contract, { unitId, upgradeCents }));
}

type ChangeRequest = Extract<ActionRequest, { readonly action: "change" }>;

function planTransferChange(
  catalogue: Catalogue,
  contract: Contract & { readonly transfer: ContractTransfer },
  { requestedChange, transfer }: ChangeRequest,
  context: ActionContext,
): Result<ActionPlan, ActionPlanRefusal> {
  const { discount, ...rentalChange } = requestedChange;
  if (Object.values(rentalChange).some((value) => value !== undefined))
    return err({ kind: "invalid", field: "transfer", reason: createReason("trips_required") });
  const transferChange = { ...transfer, discount };
  if (Object.values(transferChange).every((value) => value === undefined))
    return ok(createPlan("change", contract, {}));
  const changed = changeTransfer(
    catalogue,
    contract,
    { transfer: contract.transfer, requestedChange: transferChange },
    context,
  );
  return changed.ok ? ok(createPlan("change", contract, { transfer: changed.value })) : changed;
}

// In progress, the pickup, period, category and promotion code are fixed. The return time changes by extending or
// ending early. The quantity can only decrease, at most to the number of delivered units.
function planChange(
  catalogue: Catalogue,
  contract: Contract,
  { requestedChange, transfer }: ChangeRequest,
  context: ActionContext,
): Result<ActionPlan, ActionPlanRefusal> {
  if (transfer) return err({ kind: "invalid", field: "transfer", reason: createReason("no_trips") });
  if (contract.status === "in_progress") {
    const fixed = findFixed(contract, requestedChange);
    if (fixed) return err({ kind: "invalid", field: fixed, reason: createReason("contract_in_progress") });
    const deliveredCount = countDeliveredUnits(contract, groupFirstProductLines(contract.lines).lines);
    if (requestedChange.quantity !== undefined && requestedChange.quantity < deliveredCount)
      return err({ kind: "invalid", field: "quantity", reason: createReason("units_delivered", deliveredCount) });
  }
  if (Object.values(requestedChange).every((value) => value === undefined))
    return ok(createPlan("change", contract, {}));
  return planAgreed("change", contract, changeContract(catalogue, contract, requestedChange, context));
}

function planAgreed(
  action: BookingAction,
  contract: Contract,
  agreed: Result<AgreedContract, ActionPlanRefusal>,
): Result<ActionPlan, ActionPlanRefusal> {
  return agreed.ok ? ok(createPlan(action, contract, { agreed: agreed.value })) : agreed;
}

function findFixed(contract: Contract, requestedChange: RequestedContractChange): BookingField | undefined {
  const { period, pickupPlaceId, categoryCode, quantity, promotionCode } = requestedChange;
  const product = groupFirstProductLines(contract.lines);
  const isOther = <T>(wished: T | undefined, agreed: T) => wished !== undefined && wished !== agreed;
  const fixed: readonly (readonly [BookingField, boolean])[] = [
    ["dateFrom", isOther(period?.dateFrom, contract.period.dateFrom)],
    ["timeFrom", isOther(period?.timeFrom, contract.period.timeFrom)],
    ["dateTo", isOther(period?.dateTo, contract.period.dateTo)],
    ["timeTo", isOther(period?.timeTo, contract.period.timeTo)],
    ["pickupPlace", isOther(pickupPlaceId, contract.pickupPlaceId)],
    ["product", isOther(categoryCode, product.code)],
    ["quantity", (quantity ?? 0) > product.quantity],
    ["promotionCode", promotionCode !== undefined && !isSamePromotionCode(promotionCode, contract.promotionCode)],
  ];
  return fixed.find(([, isBroken]) => isBroken)?.[0];
}

function createPlan(action: BookingAction, contract: Contract, plan: Partial<Omit<ActionPlan, "action">>): ActionPlan {
  const { agreed, transfer, feeCents = 0, toRefundCents, forgoneCents = 0, differenceCents } = plan;
  const total = transfer?.totals.totalCents ?? (agreed && agreed.totals.totalCents + sumCents(contract.closingCents));
  const difference = differenceCents ?? (total === undefined ? 0 : total - contract.totals.totalCents);
  const overpaid = Math.max(0, -contract.pendingCents - difference);
  return {
    action: action,
    agreed,
    transfer,
    differenceCents: difference,
    feeCents,
    toRefundCents: toRefundCents ?? overpaid,
    forgoneCents,
  };
}
