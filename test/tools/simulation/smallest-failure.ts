import type { Step } from "./steps.ts";

/** Maximum number of attempts, each a complete run. */
const MAX_SHRINK_ATTEMPTS = 120;

type Fails = (steps: readonly Step[]) => Promise<boolean>;

/** Returns the smallest list of steps that still fails, by omitting ever smaller parts (delta debugging). */
export async function findSmallestFailure(steps: readonly Step[], fails: Fails): Promise<readonly Step[]> {
  let tries = 0;
  const failsStill: Fails = async (fewer) => {
    tries += 1;
    return tries <= MAX_SHRINK_ATTEMPTS && (await fails(fewer));
  };
  let remainingSteps = steps;
  let parts = 2;
  while (remainingSteps.length > 1 && tries < MAX_SHRINK_ATTEMPTS) {
    const fewer = await withoutAPart(remainingSteps, Math.ceil(remainingSteps.length / parts), failsStill);
    if (!fewer && parts >= remainingSteps.length) break;
    parts = fewer ? Math.max(2, parts - 1) : Math.min(remainingSteps.length, parts * 2);
    remainingSteps = fewer ?? remainingSteps;
  }
  return remainingSteps;
}

async function withoutAPart(steps: readonly Step[], size: number, fails: Fails): Promise<readonly Step[] | undefined> {
  for (let from = 0; from < steps.length; from += size) {
    const rest = [...steps.slice(0, from), ...steps.slice(from + size)];
    if (await fails(rest)) return rest;
  }
  return undefined;
}
