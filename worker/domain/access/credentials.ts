/**
 * Key of the signed interfaces (docs/interfaces/conventions.md#credentials). Its secrets are encrypted. Only `auth/`
 * decrypts them.
 */
export interface PartnerKey {
  readonly apiKey: string;
  readonly encryptedSecret: string;
  /** Secret before the last rotation, valid until `previousValidUntil` (epoch ms). */
  readonly previousEncryptedSecret: string | undefined;
  readonly previousValidUntil: number | undefined;
  readonly agency: Agency | undefined;
  readonly scopes: Readonly<Record<PartnerKeyScope, boolean>>;
  readonly keyOnly: boolean;
  /** Accepted signature versions: only 1, both, or only 2. */
  readonly signatures: "v1" | "both" | "v2";
  /** Ed25519, SPKI in base64, for version 2 signatures. Without it, these signatures use the secret. */
  readonly publicKey: string | undefined;
  /** Networks allowed to call, `203.0.113.0/24`. If empty, any network. */
  readonly networks: readonly string[];
}

export type PartnerKeyScope = "ota" | "integration" | "analytics";

/** Online agency. It can access only its bookings. */
export interface Agency {
  readonly id: number;
  readonly name: string;
  readonly salesChannel: string | undefined;
}

/** Public key of a booking website (`api_key` in the query). */
export interface EngineKey {
  readonly apiKey: string;
  readonly allowedOrigins: readonly string[];
  readonly salesChannel: string | undefined;
}
