import { useEffect, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { MinistryListsMessage } from "#worker/api/office/ministry-report-list-messages.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";

/** The ministry's code lists, and the mapping of vehicle data. */
export type MinistryCodeLists = Immutable<MinistryListsMessage>;

/** Loads the lists when the page opens. `read` reloads them. */
export function useMinistryCodeLists() {
  const [lists, setLists] = useState<MinistryCodeLists>();
  const [hasFailed, setFailed] = useState(false);
  const read = () =>
    sendOfficeRequest<MinistryListsMessage>("GET", toOfficePath("/ministry-reports/lists")).then(
      (answer) => {
        const content = getSuccessfulContent(answer);
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
