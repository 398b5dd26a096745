import { toAmount } from "#domain/money.ts";
import { getCurrencyByNumericCode } from "#domain/payments/currencies.ts";
import type { OnlineMethod } from "#domain/payments/gateway-notices.ts";
import { signCecabankForm, signCecabankNotice } from "#worker/gateways/cecabank.ts";
import { signGlobalPaymentsForm, signGlobalPaymentsNotice } from "#worker/gateways/global-payments.ts";
import type { GatewayCredentials, ProtocolFields } from "#worker/gateways/protocol.ts";
import {
  type RedsysVersion,
  readRedsysParameters,
  signRedsysFields,
  signRedsysParameters,
} from "#worker/gateways/redsys.ts";

/** Payment requested by a form. */
export interface GatewayPaymentRequest {
  readonly order: string;
  /** Formatted for display: `151.00 EUR`. */
  readonly amount: string;
  readonly merchant: string;
  readonly notifyUrl: string;
  readonly okUrl: string;
  readonly cancelUrl: string;
}

/** Gateways that take visitors by a form. */
export type OnlineMethodWithForm = Exclude<OnlineMethod, "stripe">;

interface GatewaySimulator {
  readonly name: string;
  /** Payment requested by the form, valid or not. */
  read(fields: ProtocolFields): GatewayPaymentRequest | undefined;
  isGenuine(credentials: GatewayCredentials, fields: ProtocolFields): boolean;
  /** Notification with the visitor's choice. Undefined if the gateway sends none. */
  notify(
    credentials: GatewayCredentials,
    fields: ProtocolFields,
    isPaid: boolean,
    at: Date,
  ): ProtocolFields | undefined;
}

/** Simulators of the four gateways, as far as a payment page needs them. */
export const gatewaySimulators: Readonly<Record<OnlineMethodWithForm, GatewaySimulator>> = {
  tpvA256: {
    name: "Redsys",
    read: (fields) => {
      const redsysFields = redsysParameters(fields);
      return {
        order: redsysFields["DS_MERCHANT_ORDER"] ?? "",
        amount: formatGatewayAmount(
          redsysFields["DS_MERCHANT_AMOUNT"],
          getCurrencyByNumericCode(redsysFields["DS_MERCHANT_CURRENCY"] ?? ""),
        ),
        merchant: redsysFields["DS_MERCHANT_MERCHANTCODE"] ?? "",
        notifyUrl: redsysFields["DS_MERCHANT_MERCHANTURL"] ?? "",
        okUrl: redsysFields["DS_MERCHANT_URLOK"] ?? "",
        cancelUrl: redsysFields["DS_MERCHANT_URLKO"] ?? "",
      };
    },
    isGenuine: ({ merchant, secret }, fields) => {
      const redsysFields = redsysParameters(fields);
      const version = merchant["signatureVersion"] as RedsysVersion;
      return (
        fields["Ds_SignatureVersion"] === version &&
        redsysFields["DS_MERCHANT_MERCHANTCODE"] === merchant["merchantCode"] &&
        fields["Ds_Signature"] ===
          signRedsysParameters(
            version,
            secret,
            redsysFields["DS_MERCHANT_ORDER"] ?? "",
            fields["Ds_MerchantParameters"] ?? "",
          )
      );
    },
    notify: ({ merchant, secret }, fields, isPaid, at) => {
      const redsysFields = redsysParameters(fields);
      const order = redsysFields["DS_MERCHANT_ORDER"] ?? "";
      return signRedsysFields(merchant["signatureVersion"] as RedsysVersion, secret, order, {
        Ds_Date: encodeURIComponent(at.toISOString().slice(0, 10).split("-").reverse().join("/")),
        Ds_Hour: encodeURIComponent(at.toISOString().slice(11, 16)),
        Ds_SecurePayment: "1",
        Ds_Amount: redsysFields["DS_MERCHANT_AMOUNT"] ?? "",
        Ds_Currency: redsysFields["DS_MERCHANT_CURRENCY"] ?? "",
        Ds_Order: order,
        Ds_MerchantCode: redsysFields["DS_MERCHANT_MERCHANTCODE"] ?? "",
        Ds_Terminal: (redsysFields["DS_MERCHANT_TERMINAL"] ?? "").padStart(3, "0"),
        Ds_Response: isPaid ? "0000" : "0190",
        Ds_MerchantData: "",
        Ds_TransactionType: redsysFields["DS_MERCHANT_TRANSACTIONTYPE"] ?? "",
        Ds_ConsumerLanguage: redsysFields["DS_MERCHANT_CONSUMERLANGUAGE"] ?? "",
        Ds_AuthorisationCode: isPaid ? sixDigits(at) : "++++++",
      });
    },
  },
  tpvB: {
    name: "Cecabank",
    read: (fields) => ({
      order: fields["Num_operacion"] ?? "",
      amount: formatGatewayAmount(fields["Importe"], getCurrencyByNumericCode(fields["TipoMoneda"] ?? "")),
      merchant: fields["MerchantID"] ?? "",
      // Merchants configure the notification URL at the bank, so the form doesn't contain it.
      notifyUrl: URL.parse("/charge-processed/tpvB", fields["URL_OK"])?.href ?? "",
      okUrl: fields["URL_OK"] ?? "",
      cancelUrl: fields["URL_NOK"] ?? "",
    }),
    isGenuine: ({ merchant, secret }, fields) =>
      fields["MerchantID"] === merchant["merchantId"] && fields["Firma"] === signCecabankForm(secret, fields),
    notify: ({ secret }, fields, isPaid, at) => {
      if (!isPaid) return undefined;
      const { Firma, Cifrado, URL_OK, URL_NOK, Pago_soportado, ...asked } = fields;
      const notice = { ...asked, Referencia: `1200${at.getTime()}`, Num_aut: sixDigits(at), Pais: "724" };
      return { ...notice, Firma: signCecabankNotice(secret, notice) };
    },
  },
  tpvC: {
    name: "Global Payments",
    read: (fields) => ({
      order: fields["ORDER_ID"] ?? "",
      amount: formatGatewayAmount(fields["AMOUNT"], fields["CURRENCY"]),
      merchant: fields["MERCHANT_ID"] ?? "",
      notifyUrl: fields["MERCHANT_RESPONSE_URL"] ?? "",
      okUrl: "",
      cancelUrl: "",
    }),
    isGenuine: ({ merchant, secret }, fields) =>
      fields["MERCHANT_ID"] === merchant["merchantId"] && fields["SHA1HASH"] === signGlobalPaymentsForm(secret, fields),
    notify: ({ secret }, fields, isPaid, at) => {
      const notice = {
        TIMESTAMP: fields["TIMESTAMP"] ?? "",
        MERCHANT_ID: fields["MERCHANT_ID"] ?? "",
        ACCOUNT: fields["ACCOUNT"] ?? "",
        ORDER_ID: fields["ORDER_ID"] ?? "",
        AMOUNT: fields["AMOUNT"] ?? "",
        RESULT: isPaid ? "00" : "101",
        MESSAGE: isPaid ? "[ test system ] Authorised" : "[ test system ] Declined.",
        PASREF: String(at.getTime()),
        AUTHCODE: isPaid ? sixDigits(at) : "",
      };
      return { ...notice, SHA1HASH: signGlobalPaymentsNotice(secret, notice) };
    },
  },
  wallet_standard: {
    name: "PayPal",
    read: (fields) => ({
      order: fields["invoice"] ?? "",
      amount: `${fields["amount"]} ${fields["currency_code"]}`,
      merchant: fields["business"] ?? "",
      notifyUrl: fields["notify_url"] ?? "",
      okUrl: fields["return"] ?? "",
      cancelUrl: fields["cancel_return"] ?? "",
    }),
    isGenuine: ({ merchant }, fields) => fields["cmd"] === "_xclick" && fields["business"] === merchant["business"],
    notify: (_credentials, fields, isPaid, at) =>
      isPaid
        ? {
            txn_type: "web_accept",
            txn_id: `STANDIN${at.getTime()}`,
            payment_status: "Completed",
            receiver_email: fields["business"] ?? "",
            business: fields["business"] ?? "",
            item_name: fields["item_name"] ?? "",
            invoice: fields["invoice"] ?? "",
            mc_gross: fields["amount"] ?? "",
            mc_currency: fields["currency_code"] ?? "",
            charset: "windows-1252",
            test_ipn: "1",
          }
        : undefined,
  },
};

function redsysParameters(fields: ProtocolFields): ProtocolFields {
  return readRedsysParameters(fields["Ds_MerchantParameters"] ?? "") ?? {};
}

function formatGatewayAmount(cents: string | undefined, currency = "EUR"): string {
  return `${toAmount(Number(cents) || 0, getCurrencyDecimals(currency))} ${currency}`;
}

function getCurrencyDecimals(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
  return maximumFractionDigits;
}

function sixDigits(at: Date): string {
  return String(at.getTime()).slice(-6);
}
