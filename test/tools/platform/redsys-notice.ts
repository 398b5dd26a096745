import { readRedsysParameters, signRedsysFields } from "#worker/gateways/redsys.ts";

/** Redsys' published test merchant, as used by the demo companies. */
export const TEST_SECRET = "sq7HjrUOBfKmC576ILgskD5srU870gJ7";

/**
 * Creates Redsys' notifications for the payment of a page: paid, authorised as a hold, and refunded. `payment` is the
 * id that the visitor returns with.
 */
export function buildRedsysNotice(page: string) {
  const parameters = /name="Ds_MerchantParameters" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const paymentParameters = readRedsysParameters(parameters.replaceAll("&#x3D;", "=").replaceAll("&#61;", "=")) ?? {};
  const reference = String(paymentParameters["DS_MERCHANT_ORDER"]);
  const cents = Number(paymentParameters["DS_MERCHANT_AMOUNT"]);
  const buildNoticeFields = (amount: number, authCode: string, outcome: Readonly<Record<string, string>>) =>
    signRedsysFields("HMAC_SHA512_V2", TEST_SECRET, reference, {
      Ds_Date: "20%2F11%2F2026",
      Ds_Hour: "10%3A30",
      Ds_Amount: String(amount),
      Ds_Currency: String(paymentParameters["DS_MERCHANT_CURRENCY"]),
      Ds_Order: reference,
      Ds_MerchantCode: String(paymentParameters["DS_MERCHANT_MERCHANTCODE"]),
      Ds_Terminal: String(paymentParameters["DS_MERCHANT_TERMINAL"]),
      Ds_AuthorisationCode: authCode,
      ...outcome,
    });
  return {
    reference,
    cents,
    payment: /[?&]payment=([0-9a-f]{32})/.exec(String(paymentParameters["DS_MERCHANT_URLOK"]))?.[1],
    fields: buildNoticeFields(cents, "123456", { Ds_Response: "0000", Ds_TransactionType: "0" }),
    hold: buildNoticeFields(cents, "123456", { Ds_Response: "0000", Ds_TransactionType: "1" }),
    refund: (amount: number, authCode: string) =>
      buildNoticeFields(amount, authCode, { Ds_Response: "0900", Ds_TransactionType: "3" }),
  };
}
