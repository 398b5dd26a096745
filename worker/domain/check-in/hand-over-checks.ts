import { hasRight } from "#domain/access/rights.ts";
import type { Role } from "#domain/access/sessions.ts";
import type { ContractData } from "#domain/bookings/bookings.ts";
import {
  DEFAULT_HAND_OVER_CHECK_MODE,
  HAND_OVER_CHECKS,
  type HandOverCheck,
  type HandOverCheckMode,
  type HandOverCheckModes,
} from "#domain/catalogue/hand-over-checks.ts";
import type { Cents } from "#domain/money.ts";
import { collectEnteredContractData } from "./driver.ts";
import type { CheckInOperation, DeskCharge } from "./operations.ts";

/** State of a contract that the checks need. */
export interface HandOverCheckInput {
  /** Amount of the contract that isn't paid yet. */
  readonly dueCents: Cents;
  readonly totalDepositCents: Cents;
  /** Deposit received, including authorised card holds. */
  readonly depositHeldCents: Cents;
  readonly documentId: string | null;
  readonly contractData: ContractData;
  /** Day of the agreed return, `yyyy-mm-dd`. */
  readonly dateTo: string;
  readonly isSigned: boolean;
}

/** Money and signature of the hand-over itself. */
export interface HandOverChargesAndSignature {
  readonly charges: readonly Pick<DeskCharge, "kind" | "amountCents">[];
  readonly hasSignature: boolean;
}

const NO_WORK: HandOverChargesAndSignature = { charges: [], hasSignature: false };

/** Returns the state of a contract with the documents that staff read at the delivery and the extras sold there. */
export function addDeliveryDataAndSales(
  facts: HandOverCheckInput,
  operation: Pick<CheckInOperation, "driver" | "authorities">,
  { soldCents, depositReductionCents }: { readonly soldCents: Cents; readonly depositReductionCents: Cents },
): HandOverCheckInput {
  const read = Object.entries(collectEnteredContractData(operation)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return {
    ...facts,
    dueCents: facts.dueCents + soldCents,
    totalDepositCents: facts.totalDepositCents - depositReductionCents,
    documentId: operation.authorities?.customer.documentId ?? facts.documentId,
    contractData: { ...facts.contractData, ...Object.fromEntries(read) },
  };
}

/** Lists the checks that aren't met and aren't off. Money and a signature of the hand-over count. */
export function listUnmetHandOverChecks(
  checks: HandOverCheckModes,
  facts: HandOverCheckInput,
  recordedAtHandOver = NO_WORK,
): readonly HandOverCheck[] {
  return HAND_OVER_CHECKS.filter(
    (check) => getMode(checks, check) !== "off" && !IS_MET[check](facts, recordedAtHandOver),
  );
}

/** What a hand-over lacks, what of it blocks, and a manager's reason to hand over anyway. */
export interface HandOverVerdict {
  readonly missing: readonly HandOverCheck[];
  readonly blocking: readonly HandOverCheck[];
  readonly isBlocked: boolean;
  /** Overridden checks with the reason, for the history. */
  readonly override: { readonly reason: string; readonly missing: readonly HandOverCheck[] } | undefined;
}

/** Decides a hand-over at the desk or from a device. Only a manager's reason overrides blocking checks. */
export function decideHandOver(
  checks: HandOverCheckModes,
  facts: HandOverCheckInput,
  work: HandOverChargesAndSignature,
  { role, reason }: { readonly role: Role; readonly reason: string | undefined },
): HandOverVerdict {
  const missing = listUnmetHandOverChecks(checks, facts, work);
  const blocking = listBlockingChecks(checks, missing);
  const override =
    blocking.length > 0 && reason !== undefined && hasRight(role, "manage") ? { reason, missing: blocking } : undefined;
  return { missing, blocking, isBlocked: blocking.length > 0 && !override, override };
}

/** Lists the missing checks that block the hand-over. */
export function listBlockingChecks(
  checks: HandOverCheckModes,
  missing: readonly HandOverCheck[],
): readonly HandOverCheck[] {
  return missing.filter((check) => getMode(checks, check) === "block");
}

const getMode = (checks: HandOverCheckModes, check: HandOverCheck): HandOverCheckMode =>
  checks[check] ?? DEFAULT_HAND_OVER_CHECK_MODE;

const sumCharges = ({ charges }: HandOverChargesAndSignature, kind: DeskCharge["kind"]) =>
  charges.reduce((sum, charge) => sum + (charge.kind === kind ? charge.amountCents : 0), 0);

const IS_MET: Readonly<
  Record<HandOverCheck, (facts: HandOverCheckInput, work: HandOverChargesAndSignature) => boolean>
> = {
  payment: ({ dueCents }, work) => dueCents - sumCharges(work, "payment") <= 0,
  deposit: ({ totalDepositCents, depositHeldCents }, work) =>
    depositHeldCents + sumCharges(work, "deposit_taken") >= totalDepositCents,
  licence: ({ contractData, dateTo }) => {
    const expires = contractData["driver_driving_license_expiration_date"];
    return Boolean(contractData["driver_driving_license_number"]) && (!expires || expires >= dateTo);
  },
  identity: ({ documentId, contractData }) => Boolean(documentId || contractData["driver_document_id"]),
  signature: ({ isSigned }, { hasSignature }) => isSigned || hasSignature,
};
