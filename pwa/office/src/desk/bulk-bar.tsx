import type { ComponentChildren } from "preact";
import { t } from "../texts.ts";
import type { RowResult } from "./bulk-actions.ts";

interface BulkBarProps {
  readonly count: number;
  readonly isBusy: boolean;
  readonly results: readonly RowResult[];
  /** Selects all rows of the page. */
  readonly onAll: () => void;
  readonly onClear: () => void;
  /** Buttons of the actions. */
  readonly children: ComponentChildren;
  /** Hint below the buttons. */
  readonly hint?: string | undefined;
}

/** Actions for the selected rows of a list, with the result of each. Without a row, the last results stay. */
export function BulkBar({ count, isBusy, results, onAll, onClear, children, hint }: BulkBarProps) {
  const text = t("selectedCount", { n: count });
  if (count === 0 && results.length === 0 && !isBusy) return null;
  return (
    <section class="bulk" aria-label={text}>
      <div class="buttons">
        <strong>{text}</strong>
        {count > 0 && children}
        <button type="button" class="small quiet" disabled={isBusy} onClick={onAll}>
          {t("selectPage")}
        </button>
        <button type="button" class="small quiet" disabled={isBusy} onClick={onClear}>
          {t("clearSelection")}
        </button>
      </div>
      {hint && <p class="soft">{hint}</p>}
      <BulkResults of={results} total={count} isBusy={isBusy} />
    </section>
  );
}

interface BulkResultsProps {
  readonly of: readonly RowResult[];
  readonly total: number;
  readonly isBusy: boolean;
}

/** Result of each row, failed ones first. */
export function BulkResults({ of, total, isBusy }: BulkResultsProps) {
  const failed = of.filter(({ isDone }) => !isDone);
  return (
    <div role="status">
      {isBusy && <p>{t("bulkProgress", { n: of.length, total })}</p>}
      {!isBusy && of.length > 0 && (
        <p class={failed.length > 0 ? "notice refused" : "notice done"}>
          {t("bulkResult", { done: of.length - failed.length, failed: failed.length })}
        </p>
      )}
      <ul class="plain bulk-results">
        {[...failed, ...of.filter(({ isDone }) => isDone)].map(({ id, name, href, isDone, text }) => (
          <li key={id} class={isDone ? "" : "problem"}>
            {href ? <a href={href}>{name}</a> : name} · {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
