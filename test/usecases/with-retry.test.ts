import { expect, test } from "vitest";
import { isTaxChainMoved, isTransientDatabaseError } from "#worker/store/failures.ts";
import { CHAIN_MOVED } from "#worker/store/guards/sql-rules.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";

test("doesn't multiply the attempts if a retry contains another retry", async () => {
  let count = 0;
  const inner = () => withRetry(() => Promise.resolve(void count++), { attempts: 30 });
  await expect(withRetry(inner, { attempts: 4, isWorthRetrying: isTransientDatabaseError })).rejects.toThrow("faster");
  expect(count).toBe(30);
});

test("doesn't repeat a batch outside of its own retries while other batches always extend the chain first", async () => {
  let count = 0;
  const batch = () => Promise.reject(new Error(`D1_ERROR: ${CHAIN_MOVED}: SQLITE_CONSTRAINT`, { cause: count++ }));
  const inner = () => withRetry(batch, { attempts: 3, isWorthRetrying: isTaxChainMoved });
  await expect(withRetry(inner, { attempts: 4, isWorthRetrying: isTransientDatabaseError })).rejects.toThrow("faster");
  expect(count).toBe(3);
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
