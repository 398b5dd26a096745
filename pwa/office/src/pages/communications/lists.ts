import { useEffect, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { CommunicationListsMessage } from "#worker/api/office/communication-list-messages.ts";
import { ask, getContent, office } from "../../api.ts";

/** The ministry's code lists, and the mapping of vehicle data. */
export type Lists = Immutable<CommunicationListsMessage>;

/** Loads the lists when the page opens. `read` reloads them. */
export function useLists() {
  const [lists, setLists] = useState<Lists>();
  const [hasFailed, setFailed] = useState(false);
  const read = () =>
    ask<CommunicationListsMessage>("GET", office("/communications/lists")).then(
      (answer) => {
        const content = getContent(answer);
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
