/**
 * A key of the signed interfaces (docs/interfaces/conventions.md#credentials). Its secrets are sealed; only `auth/`
 * opens them.
 */
export interface PartnerKey {
  readonly apiKey: string;
  readonly sealedSecret: string;
  /** The secret before the last rotation, good until `previousValidUntil` (epoch ms). */
  readonly previousSealedSecret: string | undefined;
  readonly previousValidUntil: number | undefined;
  readonly agency: Agency | undefined;
  readonly scopes: Readonly<Record<Scope, boolean>>;
  readonly keyOnly: boolean;
}

export type Scope = "ota" | "integration" | "analytics";

/** An online agency: it sees only its own bookings. */
export interface Agency {
  readonly id: number;
  readonly name: string;
  readonly salesChannel: string | undefined;
}

/** The public key of a booking website (`api_key` in the query). */
export interface EngineKey {
  readonly apiKey: string;
  readonly allowedOrigins: readonly string[];
  readonly salesChannel: string | undefined;
}
