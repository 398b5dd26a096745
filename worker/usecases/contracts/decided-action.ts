import type { BookingCustomer } from "#domain/bookings/bookings.ts";
import { toHistoryDiscount } from "#domain/bookings/discounts.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import type { ActionPlan } from "#domain/contracts/plan.ts";
import type { RequestedPayerAndInvoicing } from "#domain/contracts/requests.ts";
import { isPlanUnchanged } from "#domain/contracts/unchanged-plan.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import { sumCents, toAmount } from "#domain/money.ts";
import type { AgreedTransfer } from "#domain/transfers/agreed.ts";
import { type ContractDataChange, changeTripDetails } from "#domain/transfers/trip-ends.ts";
import type { BookingActionEntry } from "#worker/store/contracts/write-action.ts";
import type { Query } from "#worker/store/database.ts";
import type { ContractToInvoiceRows } from "#worker/store/documents/contract-to-invoice.ts";
import type { DocumentToWrite } from "#worker/usecases/issuing/documents-to-write.ts";
import type { BookingActionInput } from "#worker/usecases/office/office-context.ts";

/** Decided action, about to be written. */
export interface DecidedBookingAction {
  readonly contract: Contract;
  readonly plan: ActionPlan;
  readonly input: BookingActionInput;
  /** Credit notes for issued documents. */
  readonly creditNotes: readonly DocumentDraft[];
  /** Data from which the contract's documents are created. */
  readonly toInvoice: ContractToInvoiceRows;
  /** Vehicle to assign, or the replacement of an exchange. */
  readonly vehicle:
    | {
        readonly reference: string;
        readonly categoryCode: string;
        readonly branchCode: string;
        /** Branch group whose stock the vehicle belongs to. */
        readonly branchGroupId: number;
        readonly kilometres: number;
        /** Whether a block applies to the vehicle now. */
        readonly isBlocked: boolean;
        /** First day on which the vehicle is no longer in the fleet. */
        readonly soldReleaseDate: string | null;
      }
    | undefined;
  /** New customer of the contract, if one of the company's customers was chosen. */
  readonly customer: BookingCustomer | undefined;
  /** Payer and invoicing period: current and requested values. Absent if the action can't change them. */
  readonly billing?:
    | {
        readonly before: Required<RequestedPayerAndInvoicing>;
        readonly change: RequestedPayerAndInvoicing;
      }
    | undefined;
  readonly catalogue: Catalogue;
  /** Time of the action, epoch ms. */
  readonly at: number;
  readonly actor: string;
}

/** Writes of an action, in this order. `issueDocuments` issues the documents in between. */
export interface BookingActionWrites {
  readonly before: readonly Query[];
  readonly documents: readonly DocumentToWrite[];
  readonly after: readonly Query[];
}

const EVENTS = {
  confirm: "confirmed",
  change: "changed",
  extend: "extended",
  "early-return": "early_return",
  assign: "assigned",
  exchange: "exchanged",
  cancel: "cancelled",
  "no-show": "no_show",
  reopen: "reopened",
  surcharge: "changed",
} as const satisfies Partial<Record<ActionPlan["action"], BookingActionEntry["event"]>>;

/** Creates the history entry of a decided action. */
export function createBookingActionHistoryEntry(
  { plan, input, at, actor }: DecidedBookingAction,
  { before, after }: Pick<BookingActionEntry, "before" | "after">,
): BookingActionEntry {
  const event = EVENTS[plan.action as keyof typeof EVENTS];
  const reason = [input.reason, input.ruleReason].filter((text) => text !== undefined).join(" · ");
  return { at, actor, event, before, after, reason: reason === "" ? undefined : reason };
}

/**
 * Returns the columns that change without affecting the price. Missing data of a known customer comes from their
 * record.
 */
export function toPriceNeutralColumnChanges(action: DecidedBookingAction) {
  const { contract, input, customer: known } = action;
  const { customer, comments } = input.details ?? {};
  const dataChange = getContractDataChange(action);
  return {
    ...(known && recordColumns(known)),
    ...(customer?.name !== undefined && { customerName: customer.name }),
    ...(customer?.surname !== undefined && { customerSurname: customer.surname }),
    ...(customer?.email !== undefined && { customerEmail: customer.email }),
    // A new phone number includes its country prefix or has none.
    ...(customer?.phone !== undefined && { customerPhone: customer.phone, customerPhonePrefix: null }),
    ...(customer?.documentId !== undefined && { customerDocumentId: customer.documentId }),
    ...(comments !== undefined && { comments }),
    ...(dataChange && { contractData: JSON.stringify(withChanges(contract.contractData, dataChange)) }),
  };
}

/** Whether a change has no effect. */
export function isBookingActionWithoutEffect(action: DecidedBookingAction): boolean {
  const { contract, plan } = action;
  const { customerType: type, customer, comments, contractData } = contract;
  const currentValues: Partial<Record<string, unknown>> = {
    ...recordColumns({ ...customer, type }),
    comments: comments ?? null,
    contractData: JSON.stringify(contractData),
  };
  const isColumnChanged = ([column, value]: [string, unknown]) => value !== (currentValues[column] ?? null);
  return (
    plan.action === "change" &&
    isPlanUnchanged(contract, plan) &&
    !Object.entries(toPriceNeutralColumnChanges(action)).some(isColumnChanged) &&
    Object.keys(getBillingDifference(action).after).length === 0
  );
}

// Returns the changed payer and invoicing period.
function getBillingDifference({ billing }: DecidedBookingAction) {
  const { before, change } = billing ?? {};
  const isPayerChanged = change?.customerId !== undefined && change.customerId !== before?.customerId;
  const isPeriodChanged = change?.period !== undefined && change.period !== before?.period;
  const pick = (values: RequestedPayerAndInvoicing | undefined) => ({
    ...(isPayerChanged && { billing_customer_id: values?.customerId ?? null }),
    ...(isPeriodChanged && { billing_period: values?.period ?? null }),
  });
  return { before: pick(before), after: pick(change) };
}

function recordColumns({ id, type, name, surname, email, phone, phonePrefix, documentId }: BookingCustomer) {
  return {
    customerId: id,
    customerType: type,
    customerName: name,
    customerSurname: surname,
    customerEmail: email ?? null,
    customerPhone: phone ?? null,
    customerPhonePrefix: phonePrefix ?? null,
    customerDocumentId: documentId ?? null,
  };
}

// Returns the changed contract data. A transfer's changed trips drop the addresses and flights of their former ends.
function getContractDataChange({ contract, plan, input: { details, request } }: DecidedBookingAction) {
  const requested = details?.contractData;
  if (!contract.transfer || !plan.transfer) return requested;
  const trips = { before: contract.transfer.trips, after: plan.transfer.trips };
  const transferDetails = request.action === "change" ? request.transfer?.details : undefined;
  return changeTripDetails(contract.contractData, trips, { ...requested, ...transferDetails });
}

function withChanges(data: Contract["contractData"], changes: ContractDataChange) {
  return Object.fromEntries(Object.entries({ ...data, ...changes }).filter(([, value]) => value !== null));
}

/** Returns the differing values before and after. */
export function getBookingActionChangedValues(
  action: DecidedBookingAction,
): Pick<BookingActionEntry, "before" | "after"> {
  const { input } = action;
  const [was, is] = describeBoth(action);
  const changed = Object.keys(is ?? {}).filter((name) => JSON.stringify(is?.[name]) !== JSON.stringify(was?.[name]));
  const pick = (values: Readonly<Record<string, unknown>> | undefined) =>
    Object.fromEntries(changed.map((name) => [name, values?.[name]]));
  const billing = getBillingDifference(action);
  const fields = Object.keys({ ...input.details?.customer, ...getContractDataChange(action) });
  return {
    before: { ...pick(was), ...billing.before },
    after: {
      ...pick(is),
      ...billing.after,
      ...(fields.length > 0 && { fields }),
      ...(input.details?.comments !== undefined && { notes: true }),
      ...(input.shortageReason !== undefined && { shortage_accepted: true }),
    },
  };
}

type Particulars = Readonly<Record<string, unknown>>;

function describeBoth({ contract, plan, catalogue }: DecidedBookingAction): readonly [Particulars?, Particulars?] {
  const { agreed, transfer } = plan;
  const addPrice = (described: Particulars, { discount }: Pick<Contract, "discount">, totalCents: number) => ({
    ...described,
    discount: toHistoryDiscount(discount),
    total: toAmount(totalCents, catalogue.settings.currencyDecimals),
  });
  const { totalCents } = contract.totals;
  if (transfer && contract.transfer)
    return [
      addPrice(describeTransfer(contract.transfer), contract, totalCents),
      addPrice(describeTransfer(transfer), transfer, transfer.totals.totalCents),
    ];
  if (!agreed) return [];
  return [
    addPrice(describe(contract), contract, totalCents),
    addPrice(describe(agreed), agreed, agreed.totals.totalCents + sumCents(contract.closingCents)),
  ];
}

function describeTransfer({ vehicle, people, trips, extras }: AgreedTransfer) {
  const [outward, back] = trips.map(({ date, time, originName, destinationName }) => {
    return { date, time, origin: originName, destination: destinationName };
  });
  return {
    outward,
    return: back ?? null,
    vehicle: vehicle.name,
    ...people,
    extras: extras.map(({ code, quantity }) => ({ code, quantity })),
  };
}

function describe({
  period,
  lines,
  promotionCode,
  driverAge,
  pickupPlace,
  returnPlace,
  extras,
}: Pick<Contract, "period" | "promotionCode" | "driverAge"> & {
  readonly lines: readonly { readonly categoryCode: string; readonly quantity: number }[];
  readonly pickupPlace: string | { readonly name: string };
  readonly returnPlace: string | { readonly name: string };
  readonly extras: readonly { readonly quantity: number; readonly extraCode?: string; readonly code?: string }[];
}): Readonly<Record<string, unknown>> {
  const getPlaceName = (place: string | { readonly name: string }) => (typeof place === "string" ? place : place.name);
  return {
    ...period,
    pickupPlace: getPlaceName(pickupPlace),
    returnPlace: getPlaceName(returnPlace),
    products: lines.map(({ categoryCode, quantity }) => ({ code: categoryCode, quantity })),
    extras: extras.map(({ quantity, ...extra }) => ({ code: extra.extraCode ?? extra.code, quantity })),
    promotionCode: promotionCode ?? null,
    driverAge: driverAge ?? null,
  };
}
