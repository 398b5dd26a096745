import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { LIST_VIEWS, type SortableListName } from "#domain/reporting/list-sort.ts";
import type { SavedViewListMessage, SavedViewMessage, SavedViewRequest } from "#worker/api/office/view-messages.ts";
import { hasUserRight } from "../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../api.ts";
import { Icon } from "../icons.tsx";
import { replaceQuery, replaceQueryValues, urlQuery } from "../route.ts";
import { t } from "../texts.ts";
import { CheckBox } from "./inputs.tsx";
import { toRefusalTexts } from "./refusals.ts";
import { useResource } from "./use-resource.tsx";

/** Sort order of views that need another one than their list's default. */
const VIEW_SORTS: Readonly<Record<string, string>> = {
  upcoming: "date_from",
  pickups_today: "date_from",
  returns_today: "date_to",
  out: "date_to",
  overdue: "date_to",
};

/** Query names of a sorted list, in addition to its filters. */
export const LIST_QUERY_NAMES = ["view", "sort"] as const;

/** Whether a query has the same values as another, in any order. */
function isSameQuery(text: string, other: URLSearchParams): boolean {
  const sorted = (params: URLSearchParams) => [...params].map(([name, value]) => `${name}=${value}`).sort();
  return sorted(new URLSearchParams(text)).join() === sorted(other).join();
}

interface ViewsProps {
  readonly list: SortableListName;
  /** Filters that mean the same as a built-in view. Choosing a view clears them. */
  readonly replaces?: readonly string[];
  /** More views of this list only. */
  readonly children?: ComponentChildren;
}

/** Built-in and saved views of a list. */
export function ListViews({ list, replaces = [], children }: ViewsProps) {
  const { whole, read } = useResource<SavedViewListMessage>(toOfficePath("/views"));
  const [problem, setProblem] = useState("");
  const savedViews = whole?.data.filter((view) => view.list === list) ?? [];
  const open = savedViews.find((view) => isSameQuery(view.query, urlQuery.value));
  const view = urlQuery.value.get("view") ?? "";
  const isReplaced = replaces.some((name) => (urlQuery.value.get(name) ?? "") !== "");
  const chosen = open || isReplaced ? undefined : view;
  const cleared = Object.fromEntries(replaces.map((name) => [name, undefined]));
  const show = (name: string) => replaceQueryValues({ ...cleared, view: name, sort: VIEW_SORTS[name] });
  const take = (answer: OfficeResponse | undefined) => {
    const { fields, notice } = answer ? toRefusalTexts(answer) : { fields: {}, notice: t("notSent") };
    setProblem(answer && answer.status < 300 ? "" : [notice, ...Object.values(fields)].join(" "));
    void read();
  };
  return (
    <>
      <div class="view-bar">
        <fieldset class="chips views">
          <legend class="unseen">{t("views")}</legend>
          <button type="button" aria-pressed={chosen === ""} onClick={() => show("")}>
            {t(list === "reservations" ? "all" : "allMasculine")}
          </button>
          {LIST_VIEWS[list].map((name) => (
            <button key={name} type="button" aria-pressed={chosen === name} onClick={() => show(name)}>
              {t(`view.${name}`)}
            </button>
          ))}
          {children}
          {savedViews.map(({ id, name, query: savedQuery }) => (
            <button
              key={id}
              type="button"
              class="saved"
              aria-pressed={id === open?.id}
              onClick={() => replaceQuery(savedQuery)}
            >
              {name}
            </button>
          ))}
        </fieldset>
        {open && (open.own || hasUserRight("manage")) && (
          <button
            type="button"
            class="quiet small"
            onClick={() =>
              void sendOfficeRequest("DELETE", toOfficePath(`/views/${open.id}`)).then(take, () => take(undefined))
            }
          >
            {t("deleteView", { name: open.name })}
          </button>
        )}
        {!open && urlQuery.value.size > 0 && <SaveView list={list} onSaved={take} />}
      </div>
      {problem && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
    </>
  );
}

interface SaveViewProps {
  readonly list: SortableListName;
  readonly onSaved: (answer: OfficeResponse | undefined) => void;
}

// Saves the current filters and sort under a name.
function SaveView({ list, onSaved }: SaveViewProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [name, setName] = useState("");
  const [isShared, setShared] = useState(false);
  const save = async () => {
    const body: SavedViewRequest = { list, name, query: urlQuery.value.toString(), shared: isShared };
    const answer = await sendOfficeRequest<SavedViewMessage, SavedViewRequest>("POST", toOfficePath("/views"), {
      body,
    }).catch(() => undefined);
    if (menu.current && answer && answer.status < 300) menu.current.open = false;
    onSaved(answer);
  };
  return (
    <details class="column-choice" ref={menu}>
      <summary class="button quiet small">
        <Icon name="plus" />
        <span class="word">{t("saveView")}</span>
      </summary>
      <fieldset>
        <legend class="unseen">{t("saveView")}</legend>
        <label>
          {t("viewName")}
          <input
            name="view_name"
            value={name}
            autocomplete="off"
            onInput={({ currentTarget: { value } }) => setName(value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || name.trim() === "") return;
              event.preventDefault();
              void save();
            }}
          />
        </label>
        {hasUserRight("manage") && <CheckBox label={t("viewForAll")} checked={isShared} onChange={setShared} />}
        <button type="button" class="main small" disabled={name.trim() === ""} onClick={() => void save()}>
          {t("saveView")}
        </button>
      </fieldset>
    </details>
  );
}
