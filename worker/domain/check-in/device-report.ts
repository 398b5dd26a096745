import type { OperationKind } from "./operations.ts";

/** Device's report about its pending operations, which the office still has if the device is lost. */
export interface DeviceWorkReport {
  /** Number of finished operations that the server hasn't received. */
  readonly waiting: number;
  /** Number of those operations that need attention. */
  readonly blocked: number;
  readonly unfinishedOperations: readonly UnfinishedOperation[];
  /** Last sequence number that the device gave to an operation. */
  readonly lastSeq?: number | undefined;
}

/** Operation that was started on the device and isn't completed. */
export interface UnfinishedOperation {
  readonly bookingId: number;
  readonly kind: OperationKind;
  /** Step of the operation's form that is open or was left, such as `readings`. */
  readonly step: string;
  /** Last change, in epoch ms of the corrected device time. */
  readonly at: number;
}
