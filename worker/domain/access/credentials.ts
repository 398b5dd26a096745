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
  /** Which signatures it takes: those of version 1, both, or those of version 2 alone. */
  readonly signatures: "v1" | "both" | "v2";
  /** Ed25519, SPKI in base64, for signatures of version 2; without one the secret is their key. */
  readonly publicKey: string | undefined;
  /** From where it may call, `203.0.113.0/24`; from everywhere where there are none. */
  readonly networks: readonly string[];
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
