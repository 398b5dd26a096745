import { expect, test } from "vitest";
import { retryWhileBusy } from "#scripts/accounts/patient.ts";

const LOCKED = "The Workers runtime failed to start. SENTRY_DO SQLite failed; database is locked: SQLITE_BUSY_RECOVERY";

/** What fails with each of these messages in turn, and then answers how often it was tried. */
function failing(...messages: readonly string[]) {
  let tries = 0;
  const work = async () => {
    const message = messages[tries];
    tries += 1;
    if (message !== undefined) throw new Error(message);
    return tries;
  };
  return { work, tries: () => tries };
}

test("a runtime that does not start while another one reads what a crash left is started again", async () => {
  expect(await retryWhileBusy(failing(LOCKED).work)).toBe(2);
});

test("what else is wrong is said at once", async () => {
  const { work, tries } = failing("no such table: bookings");
  await expect(retryWhileBusy(work)).rejects.toThrow("no such table: bookings");
  expect(tries()).toBe(1);
});
