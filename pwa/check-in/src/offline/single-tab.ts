const NAME = "outbox";

/**
 * Runs work in only one tab at a time. If another tab is running it, this tab skips it. `takeOver` is called as soon as
 * that tab finishes or closes. In browsers without the Locks API, the server still accepts each operation only once.
 */
export function createSingleTabRunner(takeOver: () => void): (work: () => Promise<void>) => Promise<void> {
  let isInLine = false;
  async function waitForLock(locks: LockManager): Promise<void> {
    if (isInLine) return;
    isInLine = true;
    await locks.request(NAME, () => {
      isInLine = false;
    });
    takeOver();
  }
  return async (work) => {
    if (!("locks" in navigator)) return work();
    const { locks } = navigator;
    await locks.request(NAME, { ifAvailable: true }, async (lock) => {
      if (lock) await work();
      else void waitForLock(locks);
    });
  };
}
