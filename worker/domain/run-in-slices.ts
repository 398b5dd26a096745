/** Work that yields after every few milliseconds. */
export type SlicedWork<T> = Generator<undefined, T>;

/** Does all slices without a pause, for a computer that serves no requests. */
export function runWithoutPauses<T>(slices: SlicedWork<T>): T {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

/** Function that lets other requests use the processor before work continues. */
export type Pause = () => Promise<void>;

/** Returns at once, for a computer that serves no requests. */
export const withoutPause: Pause = () => Promise.resolve();

/** Does slices with a pause after each. */
export async function runInSlices<T>(slices: SlicedWork<T>, pause: Pause): Promise<T> {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
    await pause();
  }
}
