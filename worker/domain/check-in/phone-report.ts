import type { OperationKind } from "./operations.ts";

/** What a phone says of the work that is on it: where it is not heard of again, the office knows what it was doing. */
export interface PhoneReport {
  /** Work that is finished and has not been received. */
  readonly waiting: number;
  /** Of it, work that needs a person. */
  readonly blocked: number;
  readonly begun: readonly StartedWork[];
  /** The last number that it has given to work. */
  readonly lastSeq?: number | undefined;
}

export interface StartedWork {
  readonly bookingId: number;
  readonly kind: OperationKind;
  /** The step at which it is. */
  readonly step: string;
  /** When it was changed last, in epoch ms by the phone's clock, corrected. */
  readonly at: number;
}
