import type { CivilDate } from "#domain/dates.ts";

/** Security events of an account, as shown to its administrators (docs/interfaces/office.md#security). */
export const SECURITY_EVENTS = [
  "signed_in",
  "sign_in_failed",
  "locked_out",
  "new_device",
  "password_changed",
  "password_reset_requested",
  "sessions_ended",
  "device_lost",
  "second_factor_added",
  "second_factor_removed",
  "second_factor_failed",
  "recovery_code_used",
  "recovery_codes_renewed",
  "user_added",
  "role_changed",
  "key_changed",
  "bad_signature",
  "data_exported",
  "refund_issued",
  "database_restored",
] as const;

export type SecurityEventKind = (typeof SECURITY_EVENTS)[number];

/** Event that happened once or several times within an hour. Times in epoch ms. */
export interface SecurityEvent {
  readonly id: number;
  readonly at: number;
  readonly lastAt: number;
  readonly kind: string;
  readonly userId: number | null;
  readonly userName: string | null;
  /** Keyed hash of the network. Equal for the same network, without revealing the address. */
  readonly networkHash: string | null;
  readonly detail: Readonly<Record<string, string | number | null>>;
  readonly count: number;
}

/** Filters. Times in epoch ms. */
export interface SecurityEventFilters {
  readonly kind?: SecurityEventKind | undefined;
  readonly userId?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Days on the account's clock, the last included. */
  readonly dateFrom?: CivilDate | undefined;
  readonly dateTo?: CivilDate | undefined;
  /** Last event id of the previous page. */
  readonly after?: number | undefined;
  readonly pageSize: number;
}
