import { useEffect, useState } from "preact/hooks";
import type { CodeList } from "#domain/communications/lists.ts";
import { ask, getContent, office } from "../../api.ts";

/** The ministry's lists of codes, and the words of the fleet with what is told of them. */
export interface Lists {
  readonly mode: "none" | "dry_run" | "ses";
  readonly environment: "test" | "production";
  readonly fetched_at: string | null;
  readonly municipalities: number;
  readonly failed: readonly string[];
  /** What is told of all that is in no list. */
  readonly others: Partial<Readonly<Record<CodeList, string | null>>>;
  readonly lists: readonly { readonly list: CodeList; readonly entries: readonly { code: string; name: string }[] }[];
  readonly words: readonly {
    readonly list: CodeList;
    readonly word: string;
    readonly vehicles: number;
    readonly chosen: string | null;
    readonly code: string | null;
  }[];
}

/** The lists as they are known, read when the page opens; `read` asks for them anew. */
export function useLists() {
  const [lists, setLists] = useState<Lists>();
  const [hasFailed, setFailed] = useState(false);
  const read = () =>
    ask("GET", office("/communications/lists")).then(
      (answer) => {
        const content = getContent<Lists>(answer);
        if (content) setLists(content);
        setFailed(!content);
      },
      () => setFailed(true),
    );
  useEffect(() => {
    void read();
  }, []);
  return { lists, setLists, hasFailed, read };
}
