import { useEffect, useRef, useState } from "preact/hooks";
import { ask, getContent } from "../api.ts";
import { type TextKey, t } from "../texts.ts";
import { refusedBy } from "./refusals.ts";
import { deferredNotice } from "./sending.ts";
import { LoadErrorMessage } from "./trouble.tsx";

interface Reading {
  /** Words by the status of a refusal, where those that it gives itself are not enough. */
  readonly problems?: Readonly<Record<number, TextKey>>;
  /** Read anew with each. */
  readonly turn?: unknown;
  /** False until it is needed. */
  readonly isNeeded?: boolean;
}

/**
 * Something's whole answer, read when its path changes, whenever `read` is called and where something was done after
 * its form was left, or why it could not be read.
 */
export function useResource<Whole>(path: string, { problems = {}, turn, isNeeded = true }: Reading = {}) {
  const [whole, setWhole] = useState<Whole>();
  const [problem, setProblem] = useState("");
  const last = useRef(0);
  const read = () => {
    last.current += 1;
    const own = last.current;
    const take = (content: Whole | undefined, why: string) => {
      // The last question's answer counts.
      if (own !== last.current) return;
      if (content) setWhole(content);
      setProblem(why);
    };
    return ask("GET", path).then(
      (answer) => {
        const content = getContent<Whole>(answer);
        const problemText = problems[answer.status];
        const { fields, notice } = refusedBy(answer);
        take(content, content ? "" : problemText ? t(problemText) : [notice, ...Object.values(fields)].join(" "));
      },
      () => take(undefined, t("failed")),
    );
  };
  useEffect(() => {
    if (isNeeded) void read();
  }, [path, turn, isNeeded, deferredNotice.value.turn]);
  return { whole, setWhole, problem, read };
}

interface NotReadProps {
  readonly title: string;
  /** Empty: it is being read. */
  readonly problem: string;
  readonly onRetry: () => unknown;
  /** Where one of its kind is looked for, and what that is called. */
  readonly list: string;
  readonly listName: string;
}

/** The page of a thing that is not there: it is being read, or could not be. */
export function NotRead({ title, problem, onRetry, list, listName }: NotReadProps) {
  if (!problem) return <main class="status">{t("loading")}…</main>;
  return (
    <main>
      <h1>{title}</h1>
      <p role="alert">{problem}</p>
      <div class="head">
        <button type="button" onClick={() => onRetry()}>
          {t("retry")}
        </button>
        <a class="button" href={list}>
          {listName}
        </a>
      </div>
    </main>
  );
}

/** On the page of a thing that could not be read again: what was done is done, and what is shown was before it. */
export function StaleDataNotice({ problem, onRetry }: Pick<NotReadProps, "problem" | "onRetry">) {
  return <LoadErrorMessage problem={problem && t("older")} onRetry={onRetry} />;
}
