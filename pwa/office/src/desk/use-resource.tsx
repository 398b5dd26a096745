import { useEffect, useRef, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import { getSuccessfulContent, sendOfficeRequest } from "../api.ts";
import { type TextKey, t } from "../texts.ts";
import { isRetryable, LoadErrorMessage } from "./load-error.tsx";
import { toRefusalTexts } from "./refusals.ts";
import { Skeleton } from "./skeleton.tsx";
import { deferredNotice } from "./submit-once.ts";

interface LoadOptions {
  /** Error texts by status, if the default texts aren't enough. */
  readonly problems?: Readonly<Record<number, TextKey>>;
  /** Value whose change reloads the data. */
  readonly turn?: unknown;
  /** Body of a request that only previews. */
  readonly body?: object | undefined;
  /** False until the data is needed. */
  readonly isNeeded?: boolean;
}

/**
 * Loads a resource when its path changes, when `read` is called, and after a form finished in the background. Also
 * returns the error, and `retry` if a retry may succeed.
 */
export function useResource<Content extends object>(
  path: string,
  { problems = {}, turn, body, isNeeded = true }: LoadOptions = {},
) {
  const [whole, setWhole] = useState<Immutable<Content>>();
  const [problem, setProblem] = useState("");
  const [canRetry, setCanRetry] = useState(true);
  const last = useRef(0);
  const read = () => {
    last.current += 1;
    const own = last.current;
    const take = (content: Immutable<Content> | undefined, errorText: string, status?: number) => {
      // Only the response to the latest request counts.
      if (own !== last.current) return;
      if (content) setWhole(content);
      setProblem(errorText);
      setCanRetry(status === undefined || isRetryable(status));
    };
    return sendOfficeRequest<Content, object>(body ? "POST" : "GET", path, body && { body }).then(
      (answer) => {
        const content = getSuccessfulContent(answer);
        const problemText = problems[answer.status];
        const { fields, notice } = toRefusalTexts(answer);
        const errorText = problemText ? t(problemText) : [notice, ...Object.values(fields)].join(" ");
        take(content, content ? "" : errorText, answer.status);
      },
      () => take(undefined, t("notLoaded")),
    );
  };
  useEffect(() => {
    if (isNeeded) void read();
  }, [path, turn, body && JSON.stringify(body), isNeeded, deferredNotice.value.turn]);
  return { whole, setWhole, problem, read, retry: canRetry ? read : undefined };
}

interface NotReadProps {
  readonly title: string;
  /** Error message. Empty while loading. */
  readonly problem: string;
  /** Not set if a retry would be refused again. */
  readonly onRetry: (() => unknown) | undefined;
  /** Path and name of the list to go to. */
  readonly list: string;
  readonly listName: string;
}

/** Placeholder page while loading or after an error. */
export function PagePlaceholder({ title, problem, onRetry, list, listName }: NotReadProps) {
  if (!problem)
    return (
      <main class="status">
        <Skeleton />
      </main>
    );
  return (
    <main>
      <p class="crumbs">
        <a href={list}>{listName}</a>
      </p>
      <h1>{title}</h1>
      <LoadErrorMessage problem={problem} onRetry={onRetry} />
    </main>
  );
}

/** Notice that reloading failed: the action was done, but the page shows older data. */
export function StaleDataNotice({ problem, onRetry }: Pick<NotReadProps, "problem" | "onRetry">) {
  return <LoadErrorMessage problem={problem && t("older")} onRetry={onRetry} />;
}
