import type { Settings } from "#domain/catalogue/catalogue.ts";
import {
  amountToPay,
  decidePaymentOptions,
  isPartPaid,
  offeredMethods,
  type PaymentPart,
} from "#domain/payments/payments.ts";
import { type OnlineMethod, parseOnlineMethod } from "#domain/payments/settlement.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { formAddress, gateways } from "#worker/gateways/gateways.ts";
import type { Fields, Payment } from "#worker/gateways/protocol.ts";
import { readFresh } from "#worker/store/catalogue/read-fresh.ts";
import { isTransient } from "#worker/store/failures.ts";
import { gatewayQuery, payableQuery, saveIntent } from "#worker/store/payments/payments.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { getSimulatorOrigin, getSiteUrl, type OpenGateway, openGateway } from "#worker/usecases/shared/open-gateway.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { allowedSummaryUrl, withBookingId } from "./summary-url.ts";

export interface PaymentRequest {
  readonly freeAccessId: string;
  readonly part: PaymentPart;
  /** Method as named by the website. */
  readonly method: string;
  readonly summaryUrl: string | undefined;
}

/** Data about an existing booking for its visitor, with the return page. */
export interface RefusedBooking {
  readonly accountName: string;
  readonly language: string;
  /** Whether the requested part is already paid. */
  readonly isPaid: boolean;
  readonly summaryUrl: string | undefined;
}

export interface PaymentRefusal {
  readonly kind: "bookingNotFound" | "methodNotOffered" | "notPayable";
  readonly booking?: RefusedBooking;
}

/** Form that sends the visitor to the gateway. */
export interface PreparedPayment {
  readonly action: string;
  readonly fields: Fields;
  readonly accountName: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly decimals: number;
  readonly language: string;
}

interface PlacementContext {
  readonly now: number;
  /** 128 random bits as 32 hex digits. Identifies the payment when the visitor returns. */
  readonly intentId: string;
}

const INTENT_MILLISECONDS = 60 * 60_000;

/**
 * Creates a payment for a part of a booking and the form for the account's gateway. The amount comes only from the
 * database.
 */
export async function preparePayment(
  tenant: Tenant,
  request: PaymentRequest,
  { now, intentId }: PlacementContext,
): Promise<Result<PreparedPayment, PaymentRefusal>> {
  const method = parseOnlineMethod(request.method);
  if (!method) return err({ kind: "methodNotOffered" });
  const { catalogue, rows } = await readFresh(
    tenant,
    () => [gatewayQuery(tenant.db, method), payableQuery(tenant.db, { freeAccessId: request.freeAccessId })] as const,
  );
  const [[gatewayRow], [booking]] = rows;
  const { settings } = catalogue;
  if (!booking) return err({ kind: "bookingNotFound" });
  const payable = { ...booking, expiresAt: booking.expiresAt ?? undefined };
  const language = booking.customerLanguage;
  const summaryUrl = allowedSummaryUrl(tenant, await tenant.snapshot(), request.summaryUrl);
  const refused: RefusedBooking = {
    accountName: settings.accountName,
    language,
    isPaid: isPartPaid(payable, request.part),
    summaryUrl: summaryUrl && withBookingId(summaryUrl, request.freeAccessId),
  };
  const gateway = offeredMethods(settings).includes(method) ? await openGateway(tenant, gatewayRow) : undefined;
  if (!gateway) return err({ kind: "methodNotOffered", booking: refused });

  const amountCents = amountToPay(decidePaymentOptions(settings, payable, now), payable, request.part);
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
  return prepareForm(tenant, settings, gateway, { ...intent, language }, async (order) => {
    const saved = await saveIntent(tenant.db, { ...intent, order });
    return saved === undefined ? undefined : { id: intent.id, order: saved };
  });
}

/** Attempt to be saved under an order reference. */
interface AttemptToSave {
  readonly id: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly language: string;
  readonly at: number;
}

/**
 * Saves an attempt with `save` and creates the form that takes the visitor to the gateway. `save` may return an
 * earlier attempt, which is used instead.
 */
export async function prepareForm(
  tenant: Tenant,
  settings: Settings,
  gateway: OpenGateway,
  intent: AttemptToSave,
  save: (order: string) => Promise<{ readonly id: string; readonly order: string } | undefined>,
): Promise<Result<PreparedPayment, PaymentRefusal>> {
  const { method, environment, credentials } = gateway;
  const decimals = settings.currencyDecimals;
  const { language } = intent;
  const formFor = ({ id, order }: { readonly id: string; readonly order: string }) => {
    const payment: Payment = {
      ...createReturnUrls(getSiteUrl(tenant, settings), method, id),
      order,
      amountCents: intent.amountCents,
      currency: intent.currency,
      decimals,
      language,
      description: `${settings.accountName} ${order}`,
      at: intent.at,
    };
    return gateways[method].protocol.buildForm(credentials[0], payment);
  };
  if (!formFor({ id: intent.id, order: newOrder() })) return err({ kind: "methodNotOffered" });
  // The random order may already be used, also by an earlier attempt that lost its answer.
  const attempt = await withRetry(() => save(newOrder()), { isWorthRetrying: isTransient });
  const fields = attempt && formFor(attempt);
  if (!fields) return err({ kind: "methodNotOffered" });
  return ok({
    action: formAddress(method, environment, getSimulatorOrigin(tenant)),
    fields,
    accountName: settings.accountName,
    amountCents: intent.amountCents,
    currency: intent.currency,
    decimals,
    language,
  });
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
