import { addDays, type CivilDate, type CivilMinute, type TimeOfDay, toCivilMinute } from "#domain/dates.ts";
import type { Block, OwnTexts } from "./company.ts";
import type { Random } from "./random.ts";

interface BlockOptions {
  readonly random: Random;
  readonly today: CivilDate;
  readonly historyDays: number;
  readonly acquiredOn: CivilDate;
  /** The vehicle's number in its category: one of each large category stands still today, two of each later. */
  readonly number: number;
  readonly ownTexts: OwnTexts;
}

const DAYS_BETWEEN_SERVICES = 240;
/** Beyond the month that scripts rely on for free vehicles. */
const DAYS_TO_LATER_BLOCK = 75;

/** A service now and then, and for a few vehicles a block of today or later. */
export function planBlocks({ random, today, historyDays, acquiredOn, number, ownTexts }: BlockOptions): Block[] {
  const reasons = ownTexts.blockReasons;
  const blocks: Block[] = [];
  for (let day = -historyDays + random.between(0, DAYS_BETWEEN_SERVICES); day < -3; day += random.between(180, 300)) {
    const date = addDays(today, day);
    const days = random.between(1, 2);
    if (date > acquiredOn) blocks.push({ kind: "workshop", reason: reasons.workshop, ...daysFrom(date, days) });
  }
  if (number === 9) blocks.push({ kind: "workshop", reason: reasons.workshop, ...daysFrom(addDays(today, -1), 3) });
  if (number === 4)
    blocks.push({ kind: "transfer", reason: reasons.transfer, ...daysFrom(addDays(today, DAYS_TO_LATER_BLOCK), 1) });
  if (number === 5)
    blocks.push({ kind: "other", reason: reasons.other, ...daysFrom(addDays(today, DAYS_TO_LATER_BLOCK + 5), 3) });
  return blocks;
}

function daysFrom(date: CivilDate, days: number): { readonly startsAt: CivilMinute; readonly endsAt: CivilMinute } {
  return {
    startsAt: toCivilMinute(date, "08:00" as TimeOfDay),
    endsAt: toCivilMinute(addDays(date, days), "18:00" as TimeOfDay),
  };
}
