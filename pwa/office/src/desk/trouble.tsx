import { t } from "../texts.ts";

interface LoadErrorMessageProps {
  /** Empty: there is none. */
  readonly problem: string;
  readonly onRetry: () => unknown;
}

/** What went wrong with reading, and the button that tries it again. */
export function LoadErrorMessage({ problem, onRetry }: LoadErrorMessageProps) {
  if (!problem) return null;
  return (
    <p role="alert">
      {problem}{" "}
      <button type="button" onClick={() => onRetry()}>
        {t("retry")}
      </button>
    </p>
  );
}

interface UnreadProps extends LoadErrorMessageProps {
  readonly title: string;
}

/** In the place of a panel that has nothing to show where there is nothing: that it could not be read. */
export function UnreadPanel({ title, ...trouble }: UnreadProps) {
  if (!trouble.problem) return null;
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      <LoadErrorMessage {...trouble} />
    </section>
  );
}
