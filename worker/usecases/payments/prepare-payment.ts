import type { Settings } from "#domain/catalogue/catalogue.ts";
import { type OnlineMethod, parseOnlineMethod } from "#domain/payments/gateway-notices.ts";
import {
  decidePaymentOptions,
  getAmountToPay,
  getUnpayableReason,
  listOfferedOnlineMethods,
  type PaymentPart,
  type UnpayableReason,
} from "#domain/payments/payments.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { gateways, getPaymentFormUrl } from "#worker/gateways/gateways.ts";
import type {
  GatewayApiRequest,
  GatewayPayment,
  PaymentPageProtocol,
  ProtocolFields,
} from "#worker/gateways/protocol.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { isTransientDatabaseError } from "#worker/store/failures.ts";
import { gatewayQuery, payableBookingQuery, savePaymentIntent } from "#worker/store/payments/payments.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import { callGateway } from "#worker/usecases/shared/call-gateway.ts";
import {
  getPublicOrigin,
  getSimulatorOrigin,
  type OpenGateway,
  openGateway,
} from "#worker/usecases/shared/open-gateway.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { addBookingIdToUrl, findAllowedSummaryUrl } from "./summary-url.ts";

export interface PaymentRequest {
  readonly freeAccessId: string;
  readonly part: PaymentPart;
  /** Method as named by the website. */
  readonly method: string;
  readonly summaryUrl: string | undefined;
}

/** Data about an existing booking for its visitor, with the return page. */
export interface UnpayableBooking {
  readonly accountName: string;
  readonly language: string;
  readonly reason: UnpayableReason;
  readonly summaryUrl: string | undefined;
}

export interface PaymentRefusal {
  readonly kind: "bookingNotFound" | "methodNotOffered" | "notPayable";
  readonly booking?: UnpayableBooking;
}

/** Form that sends the visitor to the gateway, or the address of its page. */
export interface PreparedPayment {
  readonly action: string;
  /** Whether the gateway has created the page at this address. */
  readonly isRedirect: boolean;
  readonly fields: ProtocolFields;
  readonly accountName: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly decimals: number;
  readonly language: string;
}

interface PaymentAttemptContext {
  readonly now: number;
  /** 128 random bits as 32 hex digits. Identifies the payment when the visitor returns. */
  readonly intentId: string;
  readonly sendToGateway: SendToGateway;
}

const INTENT_MILLISECONDS = 60 * 60_000;

/**
 * Creates a payment for a part of a booking and the form for the account's gateway. The amount comes only from the
 * database.
 */
export async function preparePayment(
  tenant: Tenant,
  request: PaymentRequest,
  { now, intentId, sendToGateway }: PaymentAttemptContext,
): Promise<Result<PreparedPayment, PaymentRefusal>> {
  const method = parseOnlineMethod(request.method);
  if (!method) return err({ kind: "methodNotOffered" });
  const { catalogue, rows } = await readWithFreshCatalogue(
    tenant,
    () =>
      [
        gatewayQuery(tenant.db, method),
        payableBookingQuery(tenant.db, { freeAccessId: request.freeAccessId }),
      ] as const,
  );
  const [[gatewayRow], [booking]] = rows;
  const { settings } = catalogue;
  if (!booking) return err({ kind: "bookingNotFound" });
  const payable = { ...booking, expiresAt: booking.expiresAt ?? undefined };
  const language = booking.customerLanguage;
  const summaryUrl = findAllowedSummaryUrl(tenant, await tenant.snapshot(), request.summaryUrl);
  const refused: UnpayableBooking = {
    accountName: settings.accountName,
    language,
    reason: getUnpayableReason(payable, request.part, now),
    summaryUrl: summaryUrl && addBookingIdToUrl(summaryUrl, request.freeAccessId),
  };
  const gateway = listOfferedOnlineMethods(settings).includes(method)
    ? await openGateway(tenant, gatewayRow)
    : undefined;
  if (!gateway) return err({ kind: "methodNotOffered", booking: refused });

  const amountCents = getAmountToPay(decidePaymentOptions(settings, payable, now), payable, request.part);
  if (amountCents === undefined) return err({ kind: "notPayable", booking: refused });
  const intent = {
    id: intentId,
    booking,
    method,
    part: request.part,
    amountCents,
    currency: settings.currency,
    summaryUrl,
    at: now,
    expiresAt: now + INTENT_MILLISECONDS,
  };
  const save = async (order: string) => {
    const savedOrder = await savePaymentIntent(tenant.db, { ...intent, order });
    return savedOrder === undefined ? undefined : { id: intent.id, order: savedOrder, at: now };
  };
  return prepareGatewayForm({ tenant, settings, sendToGateway }, gateway, { ...intent, language, isHold: false }, save);
}

/** Attempt to be saved under an order reference. */
interface AttemptToSave {
  readonly id: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly language: string;
  readonly isHold: boolean;
}

/** Attempt that was saved. Its start is the same for all visitors that share it. */
export interface SavedPaymentAttempt {
  readonly id: string;
  readonly order: string;
  /** Start of the attempt, epoch ms. */
  readonly at: number;
}

interface Preparing {
  readonly tenant: Tenant;
  readonly settings: Settings;
  readonly sendToGateway: SendToGateway;
}

/**
 * Saves an attempt with `save` and creates the form that takes the visitor to the gateway. `save` may return an
 * earlier attempt, which is used instead.
 */
export async function prepareGatewayForm(
  { tenant, settings, sendToGateway }: Preparing,
  gateway: OpenGateway,
  intent: AttemptToSave,
  save: (order: string) => Promise<SavedPaymentAttempt | undefined>,
): Promise<Result<PreparedPayment, PaymentRefusal>> {
  const { method, environment, credentials } = gateway;
  const decimals = settings.currencyDecimals;
  const { language } = intent;
  const { protocol } = gateways[method];
  const toPayment = ({ id, order, at }: SavedPaymentAttempt): GatewayPayment => {
    return {
      ...createReturnUrls(getPublicOrigin(tenant, settings), method, id),
      order,
      intentId: id,
      isHold: intent.isHold,
      amountCents: intent.amountCents,
      currency: intent.currency,
      decimals,
      language,
      description: `${settings.accountName} ${order}`,
      at,
      expiresAt: at + INTENT_MILLISECONDS,
    };
  };
  const canStart = (payment: GatewayPayment) =>
    (protocol.checkout?.build(environment, credentials[0], payment) ?? protocol.buildForm(credentials[0], payment)) !==
    undefined;
  if (!canStart(toPayment({ id: intent.id, order: newOrder(), at: 0 }))) return err({ kind: "methodNotOffered" });
  // The random order may already be used, also by an earlier attempt that lost its answer.
  const attempt = await withRetry<SavedPaymentAttempt | "notSaved">(() => save(newOrder()), {
    isWorthRetrying: isTransientDatabaseError,
    whenExhausted: () => "notSaved",
  });
  // The payment link ended in the meantime.
  if (attempt === "notSaved") return err({ kind: "notPayable" });
  const payment = toPayment(attempt);
  const paymentSummary = {
    accountName: settings.accountName,
    amountCents: intent.amountCents,
    currency: intent.currency,
    decimals,
    language,
  };
  const page = protocol.checkout?.build(environment, credentials[0], payment);
  if (protocol.checkout && page) {
    const url = await createPage(protocol.checkout, page, sendToGateway);
    return url === undefined
      ? err({ kind: "methodNotOffered" })
      : ok({ action: url, isRedirect: true, fields: {}, ...paymentSummary });
  }
  const fields = protocol.buildForm(credentials[0], payment);
  if (!fields) return err({ kind: "methodNotOffered" });
  const action = getPaymentFormUrl(method, environment, getSimulatorOrigin(tenant));
  return ok({ action, isRedirect: false, fields, ...paymentSummary });
}

/** Maximum number of calls to create a payment page. With the same key, the gateway creates one page only. */
const MAX_PAGE_CALLS = 3;

async function createPage(
  checkout: PaymentPageProtocol,
  request: GatewayApiRequest,
  sendToGateway: SendToGateway,
): Promise<string | undefined> {
  for (let count = 0; count < MAX_PAGE_CALLS; count += 1) {
    const answer = await callGateway(request, sendToGateway);
    const read = answer && checkout.read(answer);
    if (read?.kind === "created") return read.url;
    if (read?.kind === "refused") return undefined;
  }
  return undefined;
}

function createReturnUrls(site: string, method: OnlineMethod, intentId: string) {
  return {
    notifyUrl: `${site}/charge-processed/${method}`,
    okUrl: `${site}/charge-return/${method}/ok?payment=${intentId}`,
    cancelUrl: `${site}/charge-return/${method}/cancel?payment=${intentId}`,
  };
}

const ORDER_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Returns a new order reference that every gateway accepts: four digits, then eight letters or digits. */
function newOrder(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte, index) => ORDER_LETTERS[byte % (index < 4 ? 10 : 36)]).join("");
}
