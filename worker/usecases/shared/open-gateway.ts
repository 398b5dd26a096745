import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { OnlineMethod } from "#domain/payments/gateway-notices.ts";
import type { AccountSecrets } from "#worker/auth/account-keys.ts";
import { tryDecryptSecret } from "#worker/auth/secret-encryption.ts";
import { gateways } from "#worker/gateways/gateways.ts";
import { type GatewayCredentials, parseMerchantSettings } from "#worker/gateways/protocol.ts";
import type { GatewayRow } from "#worker/store/payments/payments.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Opened gateway of an account: the current secret first, then the previous one during a change. */
export interface OpenGateway {
  readonly method: OnlineMethod;
  readonly environment: GatewayRow["environment"];
  readonly credentials: readonly [GatewayCredentials, ...GatewayCredentials[]];
}

/**
 * Opens a gateway of the account. Returns undefined if it doesn't exist, if its configuration is invalid, or if no key
 * opens its secret. Also undefined for the simulator outside development.
 */
export async function openGateway(
  tenant: AccountSecrets,
  row: GatewayRow | undefined,
): Promise<OpenGateway | undefined> {
  if (!row || (row.environment === "stand_in" && !DEVELOPMENT_BUILD)) return undefined;
  const merchant = parseMerchantSettings(gateways[row.method].protocol, row.merchant);
  if (!merchant) return undefined;
  const webhookSecret =
    row.webhookSecretSealed === null ? undefined : await tryDecryptSecret(tenant, row.webhookSecretSealed);
  if (row.webhookSecretSealed !== null && webhookSecret === undefined) return undefined;
  const open = async (sealed: string | null): Promise<GatewayCredentials | undefined> => {
    const secret = sealed === null ? "" : await tryDecryptSecret(tenant, sealed);
    return secret === undefined ? undefined : { merchant, secret, webhookSecret };
  };
  const inUse = await open(row.secretSealed);
  if (!inUse) return undefined;
  const before = row.previousSecretSealed === null ? undefined : await open(row.previousSecretSealed);
  const credentials: [GatewayCredentials, ...GatewayCredentials[]] = before ? [inUse, before] : [inUse];
  return { method: row.method, environment: row.environment, credentials };
}

/** Returns the account's public origin: its own address, or this deployment's. */
export function getPublicOrigin(tenant: Pick<Tenant, "ownUrl">, settings: Settings): string {
  return new URL(settings.baseUrl ?? tenant.ownUrl).origin;
}

/** Returns the origin of the development pages, one label above the account's. */
export function getSimulatorOrigin({ ownUrl, name }: Pick<Tenant, "ownUrl" | "name">): string {
  return new URL(ownUrl).origin.replace(`//${name}.`, "//");
}
