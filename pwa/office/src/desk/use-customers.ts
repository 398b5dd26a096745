import { useEffect, useState } from "preact/hooks";
import { ask, office } from "../api.ts";

const WAIT_MILLISECONDS = 200;
const SHORTEST = 2;

/**
 * The customers that a text finds while it is typed, at most so many; undefined while it is too short or nothing came.
 */
export function useCustomers<Row>(text: string, most: number): readonly Row[] | undefined {
  const [found, setFound] = useState<readonly Row[]>();
  const asked = text.trim();
  useEffect(() => {
    if (asked.length < SHORTEST) return setFound(undefined);
    let isOver = false;
    const timer = setTimeout(() => {
      ask("GET", office(`/customers?${new URLSearchParams({ q: asked, page_size: String(most) })}`)).then(
        ({ body }) => {
          if (!isOver) setFound((body["data"] ?? []) as readonly Row[]);
        },
        () => undefined,
      );
    }, WAIT_MILLISECONDS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [asked]);
  return found;
}
