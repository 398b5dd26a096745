import { gateways } from "#worker/gateways/gateways.ts";
import type { GatewayCredentials, ProtocolFields } from "#worker/gateways/protocol.ts";
import {
  type RedsysVersion,
  readRedsysParameters,
  signRedsysFields,
  signRedsysParameters,
} from "#worker/gateways/redsys.ts";
import { findGateway } from "#worker/store/payments/payments.ts";
import { resolveHostByBindings } from "#worker/tenancy/accounts.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import { openGateway } from "#worker/usecases/shared/open-gateway.ts";

/** Amounts with this ending are denied, as in the bank's test system. */
const DENIED = /96$/;
const REFUND_ACCEPTED_CODE = "0900";
const REFUSED = "0190";
const RELEASE = "9";
const RELEASE_ACCEPTED_CODE = "0400";

/** Answers refunds, captures and releases like Redsys. Passes on all other requests. In development only. */
export function simulateRedsysRefundsAndHolds(env: Cloudflare.Env, sendToGateway: SendToGateway): SendToGateway {
  const address = gateways.tpvA256.protocol.refunds?.addresses.stand_in;
  return async (url, init) =>
    url === address
      ? Response.json(await answerRefund(env, new TextDecoder().decode(init.body)))
      : sendToGateway(url, init);
}

async function answerRefund(env: Cloudflare.Env, body: string): Promise<ProtocolFields> {
  const fields = JSON.parse(body) as ProtocolFields;
  const refundFields = readRedsysParameters(fields["Ds_MerchantParameters"] ?? "") ?? {};
  const credentials = await findCredentials(env, fields, refundFields);
  return credentials ? toAnswer(credentials, refundFields) : { errorCode: "SIS0042" };
}

// Credentials of the account to notify. Undefined if its signature is invalid.
async function findCredentials(
  env: Cloudflare.Env,
  fields: ProtocolFields,
  refundFields: ProtocolFields,
): Promise<GatewayCredentials | undefined> {
  const address = URL.parse(refundFields["DS_MERCHANT_MERCHANTURL"] ?? "");
  const site = address && resolveHostByBindings(env, address.href, Date.now());
  if (site?.kind !== "account") return undefined;
  const gateway = await openGateway(site.tenant, await findGateway(site.tenant.db, "tpvA256"));
  const signRefund = ({ merchant, secret }: GatewayCredentials) =>
    signRedsysParameters(
      getRedsysVersion(merchant),
      secret,
      refundFields["DS_MERCHANT_ORDER"] ?? "",
      fields["Ds_MerchantParameters"] ?? "",
    );
  return gateway?.credentials.find((credential) => fields["Ds_Signature"] === signRefund(credential));
}

function toAnswer({ merchant, secret }: GatewayCredentials, refundFields: ProtocolFields): ProtocolFields {
  const order = refundFields["DS_MERCHANT_ORDER"] ?? "";
  const amount = refundFields["DS_MERCHANT_AMOUNT"] ?? "";
  return signRedsysFields(getRedsysVersion(merchant), secret, order, {
    Ds_Amount: amount,
    Ds_Currency: refundFields["DS_MERCHANT_CURRENCY"] ?? "",
    Ds_Order: order,
    Ds_MerchantCode: refundFields["DS_MERCHANT_MERCHANTCODE"] ?? "",
    Ds_Terminal: refundFields["DS_MERCHANT_TERMINAL"] ?? "",
    Ds_Response: DENIED.test(amount)
      ? REFUSED
      : refundFields["DS_MERCHANT_TRANSACTIONTYPE"] === RELEASE
        ? RELEASE_ACCEPTED_CODE
        : REFUND_ACCEPTED_CODE,
    Ds_MerchantData: refundFields["DS_MERCHANT_MERCHANTDATA"] ?? "",
    Ds_TransactionType: refundFields["DS_MERCHANT_TRANSACTIONTYPE"] ?? "",
    Ds_AuthorisationCode: String(Date.now() % 1_000_000).padStart(6, "0"),
  });
}

function getRedsysVersion(merchant: ProtocolFields): RedsysVersion {
  return merchant["signatureVersion"] as RedsysVersion;
}
