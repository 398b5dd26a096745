import { expect, test } from "vitest";
import { isTransientDatabaseError } from "#worker/store/failures.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";

test("doesn't multiply the attempts if a retry contains another retry", async () => {
  let count = 0;
  const inner = () => withRetry(() => Promise.resolve(void count++), { attempts: 30 });
  await expect(withRetry(inner, { attempts: 4, isWorthRetrying: isTransientDatabaseError })).rejects.toThrow("faster");
  expect(count).toBe(30);
});

test("retries the whole operation while work nested in it fails with a temporary database error", async () => {
  let count = 0;
  const inner = () => {
    count++;
    return count < 3 ? Promise.reject(new Error("Network connection lost")) : Promise.resolve("done");
  };
  expect(await withRetry(inner, { isWorthRetrying: isTransientDatabaseError })).toBe("done");
  expect(count).toBe(3);
});
