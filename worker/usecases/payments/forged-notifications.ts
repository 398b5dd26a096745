import type { OnlineMethod } from "#domain/payments/gateway-notices.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { OpenGateway } from "#worker/usecases/shared/open-gateway.ts";

/** Time that an opened gateway stays cached after its last forged notification. */
const CACHE_MS = 60_000;
const MAX_GATEWAYS = 500;

/**
 * Opened gateways that are receiving forged notifications. They verify genuine notifications without external calls.
 */
export class ForgedNotificationGateways {
  readonly #gateways = new Map<string, { readonly gateway: OpenGateway; readonly until: number }>();

  /** Stores a gateway for a minute. `now` is in epoch ms. */
  remember({ name }: Pick<Tenant, "name">, gateway: OpenGateway, now: number): void {
    if (this.#gateways.size >= MAX_GATEWAYS) this.#gateways.clear();
    this.#gateways.set(`${name}/${gateway.method}`, { gateway, until: now + CACHE_MS });
  }

  find({ name }: Pick<Tenant, "name">, method: OnlineMethod, now: number): OpenGateway | undefined {
    const known = this.#gateways.get(`${name}/${method}`);
    return known && known.until > now ? known.gateway : undefined;
  }
}
