import { useEffect, useState } from "preact/hooks";
import { ask, contentOf, office } from "../api.ts";
import { type TextKey, t } from "../texts.ts";

/** A thing's whole answer, read when its path changes and whenever `read` is called; `problems` are words by status. */
export function useWhole<Whole>(path: string, problems: Readonly<Record<number, TextKey>>) {
  const [whole, setWhole] = useState<Whole>();
  const [problem, setProblem] = useState("");
  const read = () =>
    ask("GET", office(path)).then(
      (answer) => {
        const content = contentOf<Whole>(answer);
        if (content) setWhole(content);
        setProblem(content ? "" : t(problems[answer.status] ?? "failed"));
      },
      () => setProblem(t("failed")),
    );
  useEffect(() => {
    void read();
  }, [path]);
  return { whole, setWhole, problem, read };
}

interface NotReadProps {
  readonly title: string;
  readonly problem: string;
  readonly onRetry: () => unknown;
  /** Where one of its kind is looked for, and what that is called. */
  readonly list: string;
  readonly listName: string;
}

/** The page of a thing that could not be read. */
export function NotRead({ title, problem, onRetry, list, listName }: NotReadProps) {
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
