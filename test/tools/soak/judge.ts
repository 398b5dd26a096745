import type { Heap } from "./heap.ts";

const MEBIBYTE = 1024 * 1024;
/** Production ends an isolate at 128; half of it is what ours may have at its worst. */
export const MAX_HEAP_BYTES = 64 * MEBIBYTE;
/** By so much the least that is kept may differ from one half of a run to the other. */
const STEADY = 2 * MEBIBYTE;
/** Fewer readings than this show no trend. */
const MIN_READINGS = 4;

/** The heap of one isolate at one moment of the soak. */
export interface Reading extends Heap {
  readonly worker: string;
  readonly seconds: number;
}

/** What a soak was, for its judge. */
export interface Soaked {
  readonly answered: number;
  /** Answers that are no success, broken connections and requests that waited too long. */
  readonly failed: number;
  readonly longestMilliseconds: number;
  readonly longestAllowedMilliseconds: number;
  /** What went wrong with what was asked beside the load: health, clock, inspector. */
  readonly problems: readonly string[];
  readonly readings: readonly Reading[];
}

/** Everything that is wrong with a soak. */
export function findSoakFaults(soaked: Soaked): readonly string[] {
  const { answered, failed, longestMilliseconds: maxMilliseconds, longestAllowedMilliseconds: allowed } = soaked;
  const workers = [...new Set(soaked.readings.map(({ worker }) => worker))];
  return [
    ...(answered === 0 ? ["nothing was answered"] : []),
    ...(failed > 0 ? [`${failed} requests were not answered well`] : []),
    ...(maxMilliseconds > allowed ? [`a request waited ${maxMilliseconds} ms, longer than ${allowed} ms`] : []),
    ...(workers.length === 0 ? ["no heap was read"] : []),
    ...workers.flatMap((worker) => findHeapFaults(worker, getReadings(soaked, worker))),
    ...soaked.problems,
  ];
}

function findHeapFaults(worker: string, readings: readonly Reading[]): readonly string[] {
  const maxUsedBytes = Math.max(...readings.map(({ used }) => used));
  const growth = getHeapGrowth(readings);
  return [
    ...(maxUsedBytes >= MAX_HEAP_BYTES
      ? [`the heap of ${worker} was ${mebibytes(maxUsedBytes)}, the limit is 64.0 MiB`]
      : []),
    ...(growth !== undefined && growth > STEADY ? [`the heap of ${worker} grows: ${mebibytes(growth)} more kept`] : []),
  ];
}

/**
 * By how many bytes the least that an isolate kept in the second half of its readings is above the least of the first.
 * The first minute, in which the accounts are read, does not count; undefined where too few readings are left.
 */
export function getHeapGrowth(readings: readonly Reading[]): number | undefined {
  const warm = readings.filter(({ seconds }) => seconds >= 60).map(({ kept }) => kept);
  if (warm.length < MIN_READINGS) return undefined;
  const middle = Math.floor(warm.length / 2);
  return Math.min(...warm.slice(middle)) - Math.min(...warm.slice(0, middle));
}

/** The readings of one isolate, in their order. */
export function getReadings({ readings }: Pick<Soaked, "readings">, worker: string): readonly Reading[] {
  return readings.filter((reading) => reading.worker === worker);
}

/** Bytes for people. */
export function mebibytes(bytes: number): string {
  return `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
}
