import { useState } from "preact/hooks";
import { deleteFormDraft, readFormDraft, saveFormDraft } from "../pages/form-drafts.ts";

/** Keeps the typed values of a form in this tab until they are discarded. `toStored` returns what is stored of them. */
export function useFormDraft<Draft extends object>(
  [list, id]: readonly [list: string, id: string],
  toStored: (draft: Draft) => object = (values) => values,
) {
  const [draft, setDraft] = useState(() => readFormDraft(list, id) as Draft);
  return {
    draft,
    keepDraft: (next: Draft) => {
      saveFormDraft(list, id, { ...toStored(next) });
      setDraft(next);
    },
    discardDraft: () => {
      deleteFormDraft(list, id);
      setDraft({} as Draft);
    },
  };
}
