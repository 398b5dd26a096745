const minute = () => Math.floor(Date.now() / 60_000);

let addresses = 0;

/**
 * What is tried against a limit of so many a minute, from an address of its own (one of 198.18.0.0/15). Limits count by
 * the minute of the clock: a trial over which the minute turned, and that failed, is made once more from another
 * address. What fails within one minute fails.
 */
export async function withinOneMinute<T>(trial: (address: string) => Promise<T>): Promise<T> {
  for (;;) {
    const began = minute();
    addresses += 1;
    try {
      return await trial(`198.18.${addresses >> 8}.${addresses & 255}`);
    } catch (error) {
      if (minute() === began) throw error;
    }
  }
}
