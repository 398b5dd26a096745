import { createProblem, type Problem } from "#domain/problems.ts";
import type { FieldValue, ResourceValues } from "./fields.ts";
import type { ResourceCheckContext } from "./resource.ts";

interface Span<T> {
  readonly index: number;
  readonly from: T;
  readonly to: T;
}

/**
 * Checks that a tariff's lengths don't overlap and have no gaps between the first and the last. Each problem names its
 * row.
 */
export function checkTariffBrackets({ brackets }: ResourceValues): readonly Problem[] {
  const spans = toRows(brackets).map(({ from_days, to_days }, index) => ({
    index,
    from: Number(from_days),
    to: to_days === null || to_days === undefined ? Number.POSITIVE_INFINITY : Number(to_days),
  }));
  if (spans.length === 0) return [createProblem("brackets", "missing")];
  const backwards = spans
    .filter(({ from, to }) => to < from)
    .map(({ index, from }) => createProblem(`brackets.${index}.to_days`, "after", from));
  if (backwards.length > 0) return backwards;
  const sorted = spans.toSorted((span, other) => span.from - other.from);
  return sorted.slice(1).flatMap((span, at): readonly Problem[] => {
    const before = sorted[at];
    if (!before || before.to + 1 === span.from) return [];
    if (before.to >= span.from)
      return [createProblem(`brackets.${span.index}.from_days`, "overlap", formatDuration(before))];
    const gap = { index: span.index, from: before.to + 1, to: span.from - 1 };
    return [createProblem(`brackets.${span.index}.from_days`, "gap", formatDuration(gap))];
  });
}

function formatDuration({ from, to }: Span<number>): string {
  if (from === to) return String(from);
  return to === Number.POSITIVE_INFINITY ? `${from}+` : `${from}–${to}`;
}

/** Checks that a day belongs to at most one season, within the season's periods and across other seasons. */
export function checkSeasonPeriods(
  { periods }: ResourceValues,
  { id, catalogue }: ResourceCheckContext,
): readonly Problem[] {
  const own = toRows(periods).map(({ date_from, date_to }, index) => ({
    index,
    from: String(date_from),
    to: String(date_to),
  }));
  const others = catalogue.seasonPeriods
    .filter(({ seasonId }) => String(seasonId) !== id)
    .map(({ dateFrom, dateTo }) => ({ index: -1, from: dateFrom as string, to: dateTo as string }));
  return own.flatMap((item): readonly Problem[] => {
    const at = `periods.${item.index}`;
    if (item.to < item.from) return [createProblem(`${at}.date_to`, "after", item.from)];
    const other = [...own.slice(0, item.index), ...others].find(({ from, to }) => from <= item.to && to >= item.from);
    return other ? [createProblem(`${at}.date_from`, "overlap", `${other.from} – ${other.to}`)] : [];
  });
}

function toRows(value: FieldValue | undefined): readonly ResourceValues[] {
  return Array.isArray(value) ? (value as readonly ResourceValues[]) : [];
}
