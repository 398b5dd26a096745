import { useEffect, useState } from "preact/hooks";
import type { CodeList } from "#domain/communications/lists.ts";
import { ask, getContent, office } from "../../api.ts";

/** The ministry's code lists, and the mapping of vehicle data. */
export interface Lists {
  readonly mode: "none" | "dry_run" | "ses";
  readonly environment: "test" | "production";
  readonly fetched_at: string | null;
  readonly municipalities: number;
  readonly failed: readonly string[];
  /** Codes for unmapped values. */
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

/** Loads the lists when the page opens. `read` reloads them. */
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
