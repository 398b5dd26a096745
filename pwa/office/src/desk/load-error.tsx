import { useEffect } from "preact/hooks";
import { t } from "../texts.ts";

interface LoadErrorMessageProps {
  /** Error message. Empty if there's no error. */
  readonly problem: string;
  /** Not set if a retry would be refused again. */
  readonly onRetry: (() => unknown) | undefined;
}

/** Whether a response with this status may succeed later: the server failed, or it was busy. */
export const isRetryable = (status: number): boolean => status >= 500 || status === 409 || status === 429;

/** Load error with a retry button. Retries when the network is back. */
export function LoadErrorMessage({ problem, onRetry }: LoadErrorMessageProps) {
  useEffect(() => {
    if (!problem || !onRetry) return;
    const retry = () => void onRetry();
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, [problem, onRetry]);
  if (!problem) return null;
  return (
    <p role="alert" class="load-error">
      <span>{problem}</span>
      {onRetry && (
        <button type="button" class="small" onClick={() => onRetry()}>
          {t("retry")}
        </button>
      )}
    </p>
  );
}

interface UnreadProps extends LoadErrorMessageProps {
  readonly title: string;
}

/** Load error of a panel that is hidden if empty. */
export function PanelLoadError({ title, ...trouble }: UnreadProps) {
  if (!trouble.problem) return null;
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      <LoadErrorMessage {...trouble} />
    </section>
  );
}
