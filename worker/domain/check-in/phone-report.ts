import type { OperationKind } from "./operations.ts";

/** Device's report about its work. If the device is lost, the office knows its state. */
export interface PhoneReport {
  /** Finished work that hasn't been received. */
  readonly waiting: number;
  /** Part of it that needs attention. */
  readonly blocked: number;
  readonly begun: readonly StartedWork[];
  /** Last sequence number used. */
  readonly lastSeq?: number | undefined;
}

export interface StartedWork {
  readonly bookingId: number;
  readonly kind: OperationKind;
  /** Current step. */
  readonly step: string;
  /** Last change, in epoch ms of the corrected device time. */
  readonly at: number;
}
