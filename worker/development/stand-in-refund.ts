import { gateways } from "#worker/gateways/gateways.ts";
import type { Credentials, Fields } from "#worker/gateways/protocol.ts";
import { type RedsysVersion, readRedsysParameters, signedRedsysFields, signRedsys } from "#worker/gateways/redsys.ts";
import { findGateway } from "#worker/store/payments/payments.ts";
import { resolveSite } from "#worker/tenancy/accounts.ts";
import { openGateway } from "#worker/usecases/payments/open-gateway.ts";
import type { PostBack } from "#worker/usecases/payments/settle-payment.ts";

/** As at the bank's own test system: an amount that ends so is denied. */
const DENIED = /96$/;
const GIVEN_BACK = "0900";
const REFUSED = "0190";

/** Answers refunds as Redsys would; everything else goes where it is addressed. In development only. */
export function standInRefund(env: Cloudflare.Env, reach: PostBack): PostBack {
  const address = gateways.tpvA256.protocol.refunds?.addresses.stand_in;
  return async (url, init) =>
    url === address ? Response.json(await answerRefund(env, new TextDecoder().decode(init.body))) : reach(url, init);
}

async function answerRefund(env: Cloudflare.Env, body: string): Promise<Fields> {
  const fields = JSON.parse(body) as Fields;
  const asked = readRedsysParameters(fields["Ds_MerchantParameters"] ?? "") ?? {};
  const credentials = await findCredentials(env, fields, asked);
  return credentials ? toAnswer(credentials, asked) : { errorCode: "SIS0042" };
}

// Of the account that is to be notified; nobody's where the signature is not its own.
async function findCredentials(env: Cloudflare.Env, fields: Fields, asked: Fields): Promise<Credentials | undefined> {
  const address = URL.parse(asked["DS_MERCHANT_MERCHANTURL"] ?? "");
  const site = address && resolveSite(env, address.href, Date.now());
  if (site?.kind !== "account") return undefined;
  const gateway = await openGateway(site.tenant, await findGateway(site.tenant.db, "tpvA256"));
  const signatureOf = ({ merchant, secret }: Credentials) =>
    signRedsys(versionOf(merchant), secret, asked["DS_MERCHANT_ORDER"] ?? "", fields["Ds_MerchantParameters"] ?? "");
  return gateway?.credentials.find((one) => fields["Ds_Signature"] === signatureOf(one));
}

function toAnswer({ merchant, secret }: Credentials, asked: Fields): Fields {
  const order = asked["DS_MERCHANT_ORDER"] ?? "";
  const amount = asked["DS_MERCHANT_AMOUNT"] ?? "";
  return signedRedsysFields(versionOf(merchant), secret, order, {
    Ds_Amount: amount,
    Ds_Currency: asked["DS_MERCHANT_CURRENCY"] ?? "",
    Ds_Order: order,
    Ds_MerchantCode: asked["DS_MERCHANT_MERCHANTCODE"] ?? "",
    Ds_Terminal: asked["DS_MERCHANT_TERMINAL"] ?? "",
    Ds_Response: DENIED.test(amount) ? REFUSED : GIVEN_BACK,
    Ds_MerchantData: asked["DS_MERCHANT_MERCHANTDATA"] ?? "",
    Ds_TransactionType: asked["DS_MERCHANT_TRANSACTIONTYPE"] ?? "",
    Ds_AuthorisationCode: String(Date.now() % 1_000_000).padStart(6, "0"),
  });
}

function versionOf(merchant: Fields): RedsysVersion {
  return merchant["signatureVersion"] as RedsysVersion;
}
