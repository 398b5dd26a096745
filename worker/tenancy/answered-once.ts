/** For so long an answer is told again to who asks the same: as old as a copy of the database may be (0014). */
const MAX_ANSWER_AGE_MS = 1000;
/** Who waits for another's answer waits no longer, and asks for themselves: the other may never have one. */
const MAX_WAIT_MS = 2000;
/** Of all accounts of the isolate; the oldest goes first. */
const MAX_CACHED_ANSWERS = 200;

interface Known {
  readonly askedAt: number;
  readonly generation: number;
  readonly answer: Promise<unknown>;
}

/** Has work go on when the request that began it is answered or gone. */
export type WaitUntil = (work: Promise<unknown>) => void;

/** Who asks: the account, when (epoch ms), and how work goes on when whoever began it has gone. */
export interface Asker {
  readonly name: string;
  readonly now: number;
  readonly waitUntil: WaitUntil | undefined;
}

const known = new Map<string, Known>();
// Of each account, by one more with each write that this isolate answered.
const generations = new Map<string, number>();

/** What the isolate knows of an account's searches is yesterday's: something was written. */
export function invalidateDedupeCache(account: string): void {
  generations.set(account, getGeneration(account) + 1);
}

/**
 * Asks, unless the same was asked at the same account within a second and nothing was written through this isolate
 * since: then both have one answer, which nobody changes. Who asks meanwhile waits for it; where it fails or does not
 * come, each asks for themselves. A request that has gone would take its work with it: where work cannot go on without
 * it (`waitUntil`), nothing is shared.
 */
export async function dedupeRequest<T>(
  { name, now, waitUntil }: Asker,
  question: string,
  ask: () => Promise<T>,
): Promise<T> {
  if (!waitUntil) return ask();
  const key = `${name} ${question}`;
  const generation = getGeneration(name);
  const cachedAnswer = known.get(key);
  if (cachedAnswer?.generation === generation && isFresh(cachedAnswer, now))
    return soon(cachedAnswer.answer as Promise<T>).catch(ask);
  const answer = ask();
  known.delete(key);
  known.set(key, { askedAt: now, generation, answer });
  waitUntil(answer.catch(() => known.delete(key)));
  dropOld(now);
  return answer;
}

/** An answer that is there or comes soon; fails where it does not. */
async function soon<T>(answer: Promise<T>): Promise<T> {
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

// A clock that was put back makes nothing fresh.
function isFresh({ askedAt }: Known, now: number): boolean {
  return askedAt <= now && now - askedAt < MAX_ANSWER_AGE_MS;
}

function dropOld(now: number): void {
  for (const [key, item] of known) {
    if (known.size <= MAX_CACHED_ANSWERS && isFresh(item, now)) return;
    known.delete(key);
  }
}
