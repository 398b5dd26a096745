import { type SortedList, VIEWS } from "#domain/reporting/list-sort.ts";
import { askFor, query } from "../route.ts";
import { t } from "../texts.ts";

/** Views whose order matters more than the default one. */
const VIEW_SORTS: Readonly<Record<string, string>> = {
  upcoming: "date_from",
  pickups_today: "date_from",
  returns_today: "date_to",
  out: "date_to",
  overdue: "date_to",
};

/** Query names of a sorted list, in addition to its filters. */
export const LIST_NAMES = ["view", "sort"] as const;

/** Built-in views of a list. */
export function Views({ list }: { readonly list: SortedList }) {
  const chosen = query.value.get("view") ?? "";
  const show = (view: string) => askFor({ view, sort: VIEW_SORTS[view] });
  return (
    <fieldset class="chips views">
      <legend class="unseen">{t("views")}</legend>
      <button type="button" aria-pressed={chosen === ""} onClick={() => show("")}>
        {t("all")}
      </button>
      {VIEWS[list].map((view) => (
        <button key={view} type="button" aria-pressed={chosen === view} onClick={() => show(view)}>
          {t(`view.${view}`)}
        </button>
      ))}
    </fieldset>
  );
}
