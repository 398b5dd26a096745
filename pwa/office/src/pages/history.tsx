import { useState } from "preact/hooks";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import type { Immutable } from "#shared/immutable.ts";
import type { ResourceHistoryMessage } from "#worker/api/office/resource-history-messages.ts";
import { formatMoment } from "../account.ts";
import { toOfficePath } from "../api.ts";
import { formatChangeAuthor } from "../desk/change-author.ts";
import { LoadErrorMessage } from "../desk/load-error.tsx";
import { useResource } from "../desk/use-resource.tsx";
import { t, tOr } from "../texts.ts";
import { describeFieldChange } from "./changed-text.ts";
import type { ResourceOptions } from "./resources.ts";

type Entry = Immutable<ResourceHistoryMessage["data"][number]>;

/** Text keys by action. */
export const HISTORY_ACTION_TEXT_KEYS: Readonly<
  Record<string, "eventCreated" | "eventChanged" | "eventRemoved" | "eventRenamed">
> = {
  created: "eventCreated",
  changed: "eventChanged",
  removed: "eventRemoved",
  renamed: "eventRenamed",
};

interface HistoryProps {
  readonly resource: Pick<Resource, "fields">;
  readonly path: string;
  /** Version of the record, whose change reloads the history. */
  readonly version: number;
  /** Options used to name referenced items. */
  readonly options?: ResourceOptions | undefined;
}

/** Change history of a record: who changed what, with old and new values. */
export function RecordHistory({ resource, path, version, options }: HistoryProps) {
  const [isNeeded, setNeeded] = useState(false);
  const { whole, problem, retry } = useResource<ResourceHistoryMessage>(toOfficePath(`${path}/history`), {
    turn: version,
    isNeeded,
  });
  const entries = whole?.data;
  return (
    <details class="history" onToggle={(event) => setNeeded(event.currentTarget.open)}>
      <summary>{t("history")}</summary>
      <LoadErrorMessage problem={problem} onRetry={retry} />
      {entries?.length === 0 && <p>{t("noHistory")}</p>}
      <ol>
        {entries?.map((entry) => (
          <li key={entry.version}>
            <strong>{formatChangeAuthor(entry.who)}</strong> {t(HISTORY_ACTION_TEXT_KEYS[entry.move] ?? "eventChanged")}{" "}
            · {formatMoment(entry.at)}
            {entry.move === "changed" && <Changes resource={resource} entry={entry} options={options} />}
          </li>
        ))}
      </ol>
    </details>
  );
}

interface ChangesProps extends Pick<HistoryProps, "resource" | "options"> {
  readonly entry: Entry;
}

function Changes({ resource, entry: { before, after }, options }: ChangesProps) {
  const changed = resource.fields.filter(
    ({ name }) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
  );
  return (
    <ul>
      {changed.map((field) => (
        <li key={field.name}>
          {tOr(`field.${field.name}`, field.name)}: {describeFieldChange(field, before ?? {}, after ?? {}, options)}
        </li>
      ))}
    </ul>
  );
}
