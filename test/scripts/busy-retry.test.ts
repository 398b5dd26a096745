import { expect, test } from "vitest";
import { retryWhileBusy } from "#scripts/accounts/busy-retry.ts";

const LOCKED = "The Workers runtime failed to start. SENTRY_DO SQLite failed; database is locked: SQLITE_BUSY_RECOVERY";

/** Creates a function that fails with each message in turn, then returns the number of attempts. */
function createFailingWork(...messages: readonly string[]) {
  let tries = 0;
  const work = async () => {
    const message = messages[tries];
    tries += 1;
    if (message !== undefined) throw new Error(message);
    return tries;
  };
  return { work, tries: () => tries };
}

test("retries the start of a local runtime while another one recovers its database after a crash", async () => {
  expect(await retryWhileBusy(createFailingWork(LOCKED).work)).toBe(2);
});

test("reports other errors of a local runtime at once, without a retry", async () => {
  const { work, tries } = createFailingWork("no such table: bookings");
  await expect(retryWhileBusy(work)).rejects.toThrow("no such table: bookings");
  expect(tries()).toBe(1);
});
