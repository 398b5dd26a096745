import type { Period } from "#domain/dates.ts";
import { isCurrencyAcceptedBy } from "#domain/payments/currencies.ts";
import type { OnlineMethod } from "#domain/payments/gateway-notices.ts";
import { parseOnlineMethod } from "#domain/payments/gateway-notices.ts";
import {
  getPaymentLinkAmount,
  getPaymentLinkStatus,
  type PaymentLinkPurpose,
  type PaymentLinkStatus,
} from "#domain/payments/payment-links.ts";
import { err, type Result } from "#domain/result.ts";
import { gateways } from "#worker/gateways/gateways.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { gatewaysQuery } from "#worker/store/payments/gateways.ts";
import { paymentLinkByTokenQuery, savePaymentLinkIntent } from "#worker/store/payments/payment-links.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import { type OpenGateway, openGateway } from "#worker/usecases/shared/open-gateway.ts";
import { type PreparedPayment, prepareGatewayForm } from "./prepare-payment.ts";
import { findReservationUrl } from "./reservation-url.ts";

/** Visitors who open a link within this time (ms) share an attempt, so that only one of them can pay. */
const SHARED_MS = 2 * 60_000;
const INTENT_MS = 60 * 60_000;

/** `nothing_due`: unused, as the amount was paid in another way. `fee`: for the fee of a cancelled reservation. */
export type PaymentLinkPageStatus = PaymentLinkStatus | "nothing_due" | "reservation_cancelled" | "fee";

/** Content of a link's page. */
export interface OpenedPaymentLink {
  readonly status: PaymentLinkPageStatus;
  readonly purpose: PaymentLinkPurpose;
  readonly amountCents: number;
  readonly currency: string;
  readonly decimals: number;
  readonly language: string;
  readonly accountName: string;
  readonly reservation: number;
  readonly country: string;
  readonly isTransfer: boolean;
  /** Local times of the rental. A transfer has a start only. */
  readonly period: Period;
  /** Name of the pickup place in the customer's language. */
  readonly pickupPlace: string;
  /** Gateways of the account that can do what the link is for. Empty if the link can't be used now. */
  readonly methods: readonly OnlineMethod[];
  readonly reservationUrl: string | undefined;
}

/** Whether the page can start a payment. */
export const canPayByLink = ({ status }: Pick<OpenedPaymentLink, "status">) => status === "open" || status === "fee";

/** Reads what a link's page shows, undefined for an unknown link. Nothing is started. */
export async function readPaymentLink(
  tenant: Tenant,
  token: string,
  now: number,
): Promise<OpenedPaymentLink | undefined> {
  return (await openLink(tenant, token, now))?.page;
}

/**
 * Starts the payment of a link at a gateway. It takes at most what is still due. Visitors at the same time share one
 * attempt, so a link takes one payment.
 */
export async function preparePaymentOfLink(
  tenant: Tenant,
  token: string,
  methodName: string,
  {
    now,
    intentId,
    sendToGateway,
  }: { readonly now: number; readonly intentId: string; readonly sendToGateway: SendToGateway },
): Promise<Result<PreparedPayment, { readonly page: OpenedPaymentLink | undefined }>> {
  const opened = await openLink(tenant, token, now);
  const method = parseOnlineMethod(methodName);
  const gateway = opened?.open.find((open) => open.method === method);
  if (!opened || !gateway || !canPayByLink(opened.page)) return err({ page: opened?.page });
  const { page, found, settings } = opened;
  const intent = {
    id: intentId,
    linkId: found.link.id,
    bookingId: found.link.bookingId,
    method: gateway.method,
    amountCents: page.amountCents,
    currency: page.currency,
    summaryUrl: page.reservationUrl,
    at: now,
    expiresAt: now + INTENT_MS,
  };
  const { checkout } = gateways[gateway.method].protocol;
  // A page that the gateway created stays usable until the attempt ends.
  const sharedSince = now - (checkout ? INTENT_MS - SHARED_MS : SHARED_MS);
  const attempt = { ...intent, language: page.language, isHold: page.purpose === "hold" };
  const prepared = await prepareGatewayForm({ tenant, settings, sendToGateway }, gateway, attempt, (order) =>
    savePaymentLinkIntent(tenant.db, { ...intent, order, sharedSince }),
  );
  if (prepared.ok) return prepared;
  const isEnded = prepared.error.kind === "notPayable";
  return err({ page: isEnded ? await readPaymentLink(tenant, token, now) : page });
}

async function openLink(tenant: Tenant, token: string, now: number) {
  const { db } = tenant;
  const { catalogue, rows } = await readWithFreshCatalogue(
    tenant,
    () => [paymentLinkByTokenQuery(db, { token }), gatewaysQuery(db)] as const,
  );
  const [[found], gatewayRows] = rows;
  if (!found) return undefined;
  const { settings } = catalogue;
  const { purpose, bookingId } = found.link;
  const opened = await Promise.all(gatewayRows.map((row) => openGateway(tenant, row)));
  const open = opened.filter(
    (gateway): gateway is OpenGateway =>
      gateway !== undefined &&
      gateways[gateway.method].protocol.abilities.includes(purpose === "hold" ? "hold" : "charge") &&
      isCurrencyAcceptedBy(gateway.method, settings.currency),
  );
  const status = getPaymentLinkStatus(found.link, now);
  const dueCents = getPaymentLinkAmount(found.link, found);
  const page: OpenedPaymentLink = {
    status: getPageStatus(status, dueCents, found.status === "cancelled"),
    purpose,
    amountCents: (status === "open" ? dueCents : found.takenCents) || found.link.amountCents,
    currency: settings.currency,
    decimals: settings.currencyDecimals,
    language: found.customerLanguage,
    accountName: settings.accountName,
    reservation: bookingId,
    country: settings.countryCode,
    isTransfer: found.kind === "transfer",
    period: found.period as Period,
    pickupPlace: catalogue.places.get(found.pickupPlaceId ?? 0)?.names[found.customerLanguage] ?? found.pickupPlace,
    methods: open.map(({ method }) => method),
    reservationUrl: await findReservationUrl(tenant, { ...found, language: found.customerLanguage }),
  };
  return { page, found, settings, open };
}

function getPageStatus(
  status: PaymentLinkStatus,
  dueCents: number,
  isReservationCancelled: boolean,
): PaymentLinkPageStatus {
  if (status === "paid" || status === "authorised") return status;
  if (status !== "open" || dueCents === 0) {
    if (isReservationCancelled) return "reservation_cancelled";
    return dueCents === 0 ? "nothing_due" : status;
  }
  return isReservationCancelled ? "fee" : "open";
}
