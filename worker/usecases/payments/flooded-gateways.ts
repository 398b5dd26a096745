import type { OnlineMethod } from "#domain/payments/settlement.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { OpenGateway } from "./open-gateway.ts";

/** As long as an address is not listened to after its last forged notification. */
const CACHE_MS = 60_000;
const MAX_GATEWAYS = 500;

/** The gateways in whose name somebody forges just now, opened: they tell a true notification and ask nobody. */
export class FloodedGateways {
  readonly #gateways = new Map<string, { readonly gateway: OpenGateway; readonly until: number }>();

  /** Keeps a gateway for a minute from now, epoch ms. */
  remember({ name }: Pick<Tenant, "name">, gateway: OpenGateway, now: number): void {
    if (this.#gateways.size >= MAX_GATEWAYS) this.#gateways.clear();
    this.#gateways.set(`${name}/${gateway.method}`, { gateway, until: now + CACHE_MS });
  }

  find({ name }: Pick<Tenant, "name">, method: OnlineMethod, now: number): OpenGateway | undefined {
    const known = this.#gateways.get(`${name}/${method}`);
    return known && known.until > now ? known.gateway : undefined;
  }
}
