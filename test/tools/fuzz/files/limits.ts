/** Limits of a file. Above them, the platform would keep others waiting. */
export const MAX_FILE_READ_MS = 1_000;
export const MAX_FILE_READ_BYTES = 64_000_000;

/** Result of a file: its time, the memory that it took, and its error if it had one. */
export interface FileResult {
  readonly index: number;
  readonly kind: string;
  readonly isAccepted: boolean;
  readonly milliseconds: number;
  readonly bytes: number;
  /** Peak of its buffers that weren't garbage. Only read in the second reading of a large file. */
  readonly bufferBytes?: number | undefined;
  /** Memory in use before, with the loaded code. */
  readonly bytesBefore: number;
  readonly error: string | undefined;
}
