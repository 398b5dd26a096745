const NAME = "outbox";

/**
 * Runs work in one tab of the phone at a time: where another one is at it, it is left to that one. `takeOver` is called
 * as soon as that one has ended, or was closed in the middle of it. Where the browser knows no locks, the server still
 * takes each piece of work once.
 */
export function oneSender(takeOver: () => void): (work: () => Promise<void>) => Promise<void> {
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
