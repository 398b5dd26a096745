/** Maximum age of a shared answer, the same as a read replica's maximum lag (0014). */
const MAX_ANSWER_AGE_MS = 1000;
/**
 * Maximum time to wait for another request's answer, which may never arrive. After that, the waiting request asks on
 * its own.
 */
const MAX_WAIT_MS = 2000;
/** Maximum number of cached answers of all accounts in the isolate. The oldest is removed first. */
const MAX_CACHED_ANSWERS = 200;

interface CachedAnswer {
  readonly requestedAt: number;
  readonly generation: number;
  readonly answer: Promise<unknown>;
}

/** Lets work continue after the request ended or its client left. */
export type WaitUntil = (work: Promise<unknown>) => void;

/** Account and time (epoch ms) of a request, and a way to continue work after it. */
export interface DedupeContext {
  readonly name: string;
  readonly now: number;
  readonly waitUntil: WaitUntil | undefined;
}

const cachedAnswers = new Map<string, CachedAnswer>();
// Number by account, increased by each write through this isolate. Cached answers with a lower number are outdated.
const generations = new Map<string, number>();

/** Clears this isolate's cached search results for the account. Call it after every write. */
export function invalidateDedupeCache(account: string): void {
  generations.set(account, getGeneration(account) + 1);
}

/**
 * Shares an immutable answer between equal requests of an account within a second, unless this isolate wrote since.
 * Concurrent requests wait for the first one. If it fails or takes too long, each asks on its own. Work ends with its
 * request, so nothing is shared without `waitUntil`.
 */
export async function dedupeRequest<T>(
  { name, now, waitUntil }: DedupeContext,
  requestKey: string,
  ask: () => Promise<T>,
): Promise<T> {
  if (!waitUntil) return ask();
  const key = `${name} ${requestKey}`;
  const generation = getGeneration(name);
  const cachedAnswer = cachedAnswers.get(key);
  if (cachedAnswer?.generation === generation && isFresh(cachedAnswer, now))
    return withTimeout(cachedAnswer.answer as Promise<T>).catch(ask);
  const answer = ask();
  cachedAnswers.delete(key);
  cachedAnswers.set(key, { requestedAt: now, generation, answer });
  waitUntil(answer.catch(() => cachedAnswers.delete(key)));
  evictOldAnswers(now);
  return answer;
}

/** Waits for an answer. Fails after the maximum waiting time. */
async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  let alarm: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    alarm = setTimeout(() => reject(new Error("another's answer did not come")), MAX_WAIT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(alarm);
  }
}

function getGeneration(account: string): number {
  return generations.get(account) ?? 0;
}

// Whether a cached answer is recent enough. An answer from the future isn't, because the clock may have been set back.
function isFresh({ requestedAt }: CachedAnswer, now: number): boolean {
  return requestedAt <= now && now - requestedAt < MAX_ANSWER_AGE_MS;
}

function evictOldAnswers(now: number): void {
  for (const [key, item] of cachedAnswers) {
    if (cachedAnswers.size <= MAX_CACHED_ANSWERS && isFresh(item, now)) return;
    cachedAnswers.delete(key);
  }
}
