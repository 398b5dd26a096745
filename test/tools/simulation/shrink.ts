import type { Step } from "./steps.ts";

/** Tries are runs of their own: so many at most. */
const MOST_TRIES = 120;

type Fails = (steps: readonly Step[]) => Promise<boolean>;

/** The fewest steps that still fail, found by leaving out ever smaller parts (delta debugging). */
export async function shrink(steps: readonly Step[], fails: Fails): Promise<readonly Step[]> {
  let tries = 0;
  const failsStill: Fails = async (fewer) => {
    tries += 1;
    return tries <= MOST_TRIES && (await fails(fewer));
  };
  let kept = steps;
  let parts = 2;
  while (kept.length > 1 && tries < MOST_TRIES) {
    const fewer = await withoutAPart(kept, Math.ceil(kept.length / parts), failsStill);
    if (!fewer && parts >= kept.length) break;
    parts = fewer ? Math.max(2, parts - 1) : Math.min(kept.length, parts * 2);
    kept = fewer ?? kept;
  }
  return kept;
}

async function withoutAPart(steps: readonly Step[], size: number, fails: Fails): Promise<readonly Step[] | undefined> {
  for (let from = 0; from < steps.length; from += size) {
    const rest = [...steps.slice(0, from), ...steps.slice(from + size)];
    if (await fails(rest)) return rest;
  }
  return undefined;
}
