import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { t } from "../texts.ts";
import { LoadErrorMessage } from "./load-error.tsx";

type Again = () => void;

// Functions that reload choices whose loading failed, identified by reference.
const unread = signal<ReadonlySet<Again>>(new Set());

function note(again: Again, isUnread: boolean): void {
  if (unread.peek().has(again) === isUnread) return;
  const others = [...unread.peek()].filter((item) => item !== again);
  unread.value = new Set(isUnread ? [...others, again] : others);
}

/**
 * Loads choices when the key changes. Undefined while loading or without a key. Load errors are shown by
 * `ChoicesLoadError`, because an empty list would be misleading.
 */
export function useLoadedChoices<Choices>(key: string | undefined, read: () => Promise<Choices>): Choices | undefined {
  const [choices, setChoices] = useState<Choices>();
  const [attempt, setAttempt] = useState(0);
  const [again] = useState<Again>(() => () => setAttempt((before) => before + 1));
  useEffect(() => {
    if (key === undefined) return undefined;
    let isOver = false;
    read().then(
      (item) => {
        if (isOver) return;
        note(again, false);
        setChoices(() => item);
      },
      () => {
        if (!isOver) note(again, true);
      },
    );
    return () => {
      isOver = true;
    };
  }, [key, attempt]);
  useEffect(() => () => note(again, false), []);
  return choices;
}

/** Error if choices couldn't be loaded, with a retry button. */
export function ChoicesLoadError() {
  const all = [...unread.value];
  return (
    <LoadErrorMessage problem={all.length > 0 ? t("choicesUnread") : ""} onRetry={() => all.map((again) => again())} />
  );
}
