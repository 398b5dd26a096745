import { t } from "../texts.ts";

interface TroubleProps {
  /** Empty: there is none. */
  readonly problem: string;
  readonly onRetry: () => unknown;
}

/** What went wrong with reading, and the button that tries it again. */
export function Trouble({ problem, onRetry }: TroubleProps) {
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
