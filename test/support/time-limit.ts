const minute = () => Math.floor(Date.now() / 60_000);

let addresses = 0;

/**
 * Tests a limit per minute from a separate address (198.18.0.0/15). Limits count by clock minute. A failed trial during
 * which the minute changed is repeated once from another address. A failure within one minute is final.
 */
export async function runWithinOneClockMinute<T>(trial: (address: string) => Promise<T>): Promise<T> {
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
