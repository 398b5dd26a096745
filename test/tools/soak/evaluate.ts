import type { HeapSize } from "./heap.ts";

const MEBIBYTE = 1024 * 1024;
/** Production ends an isolate at 128 MiB. At most half of it may be used. */
const MAX_HEAP_BYTES = 64 * MEBIBYTE;
/** Permitted difference of the minimum heap between both halves of a run. */
const STEADY = 2 * MEBIBYTE;
/** Minimum number of readings to detect a trend. */
const MIN_READINGS = 4;

/** An isolate's heap at one time of the test. */
export interface MemoryReading extends HeapSize {
  readonly worker: string;
  readonly seconds: number;
}

/** Measurements of a soak test. */
export interface SoakResult {
  readonly answered: number;
  /** Failed responses, broken connections and timeouts. */
  readonly failed: number;
  readonly longestMilliseconds: number;
  readonly longestAllowedMilliseconds: number;
  /** Problems of requests besides the load: health, cron and inspector. */
  readonly problems: readonly string[];
  readonly readings: readonly MemoryReading[];
}

/** Returns all failures of a soak test. */
export function findSoakFaults(result: SoakResult): readonly string[] {
  const { answered, failed, longestMilliseconds: maxMilliseconds, longestAllowedMilliseconds: allowed } = result;
  const workers = [...new Set(result.readings.map(({ worker }) => worker))];
  return [
    ...(answered === 0 ? ["nothing was answered"] : []),
    ...(failed > 0 ? [`${failed} requests were not answered well`] : []),
    ...(maxMilliseconds > allowed ? [`a request waited ${maxMilliseconds} ms, longer than ${allowed} ms`] : []),
    ...(workers.length === 0 ? ["no heap was read"] : []),
    ...workers.flatMap((worker) => findHeapFaults(worker, getReadings(result, worker))),
    ...result.problems,
  ];
}

function findHeapFaults(worker: string, readings: readonly MemoryReading[]): readonly string[] {
  const maxUsedBytes = Math.max(...readings.map(({ used }) => used));
  const growth = getHeapGrowth(readings);
  return [
    ...(maxUsedBytes >= MAX_HEAP_BYTES
      ? [`the heap of ${worker} was ${formatMebibytes(maxUsedBytes)}, the limit is 64.0 MiB`]
      : []),
    ...(growth !== undefined && growth > STEADY
      ? [`the heap of ${worker} grows: ${formatMebibytes(growth)} more kept`]
      : []),
  ];
}

/**
 * Returns by how many bytes an isolate's minimum heap grew from the first to the second half of its readings. Ignores
 * the first minute, when accounts are loaded. Undefined with too few readings.
 */
export function getHeapGrowth(readings: readonly MemoryReading[]): number | undefined {
  const warm = readings.filter(({ seconds }) => seconds >= 60).map(({ retained }) => retained);
  if (warm.length < MIN_READINGS) return undefined;
  const middle = Math.floor(warm.length / 2);
  return Math.min(...warm.slice(middle)) - Math.min(...warm.slice(0, middle));
}

/** Returns the readings of one isolate in order. */
export function getReadings({ readings }: Pick<SoakResult, "readings">, worker: string): readonly MemoryReading[] {
  return readings.filter((reading) => reading.worker === worker);
}

/** Formats a number of bytes in MiB. */
export function formatMebibytes(bytes: number): string {
  return `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
}
