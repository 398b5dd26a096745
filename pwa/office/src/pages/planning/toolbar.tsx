import { addDays, type CivilDate } from "#domain/dates.ts";
import { MAX_DATE } from "#shared/max-date.ts";
import {
  account,
  formatDay,
  formatDayRange,
  getCompanyDateTime,
  hasUserRight,
  listCategoryChoices,
} from "../../account.ts";
import { Select } from "../../desk/inputs.tsx";
import { Icon } from "../../icons.tsx";
import { linkTo, type Query } from "../../route.ts";
import { t } from "../../texts.ts";

const ZOOMS = [
  [1, "zoomDay"],
  [7, "zoomWeek"],
  [31, "zoomMonth"],
] as const;

const STATES = ["pending_confirmation", "confirmed", "in_progress", "overdue", "done", "blocked"] as const;

interface ToolbarProps {
  readonly view: {
    readonly from: CivilDate;
    readonly days: number;
    readonly storage: string;
    readonly category: string;
  };
  /** Number of contracts without a vehicle, and whether their rows are shown. */
  readonly waitingCount: number;
  readonly isWaitingShown: boolean;
  readonly onToggleWaiting: () => void;
  readonly onChange: (newQuery: Query) => void;
}

/** Legend of the board's colours. */
export function BoardLegend() {
  return (
    <ul class="legend" aria-label={t("legend")}>
      {STATES.map((state) => (
        <li key={state} class="state" data-state={state}>
          {state === "blocked" ? t("blocked") : t(`state.${state}`)}
        </li>
      ))}
    </ul>
  );
}

/** Selection of start, length and vehicles. */
export function BoardToolbar({ view, onChange, ...props }: ToolbarProps) {
  const step = view.days === 31 ? 28 : view.days;
  const to = addDays(view.from, view.days - 1);
  return (
    <>
      <div class="head">
        <h1>{t("planning")}</h1>
        <p class="soft" aria-live="polite">
          {view.days === 1 ? formatDay(view.from, "long") : formatDayRange(view.from, to)}
        </p>
        {hasUserRight("sell") && (
          <a class="button main" data-new href={linkTo("reservations", "new")}>
            {t("newReservation")}
          </a>
        )}
      </div>
      <div class="toolbar">
        <fieldset class="joined">
          <legend class="unseen">{t("date")}</legend>
          <button type="button" aria-label={t("earlier")} onClick={() => onChange({ from: addDays(view.from, -step) })}>
            <Icon name="previous" isSmall />
          </button>
          <button type="button" onClick={() => onChange({ from: undefined })}>
            {t("today")}
          </button>
          <button type="button" aria-label={t("later")} onClick={() => onChange({ from: addDays(view.from, step) })}>
            <Icon name="next" isSmall />
          </button>
        </fieldset>
        <input
          type="date"
          max={MAX_DATE}
          aria-label={t("firstDayShown")}
          value={view.from}
          onChange={(event) => onChange({ from: event.currentTarget.value })}
        />
        <fieldset class="joined">
          <legend class="unseen">{t("zoom")}</legend>
          {ZOOMS.map(([days, name]) => (
            <button
              key={days}
              type="button"
              aria-pressed={view.days === days}
              onClick={() => onChange({ days, ...(days === 1 && { from: getCompanyDateTime().date }) })}
            >
              {t(name)}
            </button>
          ))}
        </fieldset>
        <Select
          aria-label={t("list.branch-groups")}
          value={view.storage}
          none={t("allBranchGroups")}
          choices={account.value.rental_storages.map(({ id, name }) => [id, name])}
          onChange={(storage) => onChange({ storage })}
        />
        <Select
          aria-label={t("category")}
          value={view.category}
          none={t("allCategories")}
          choices={listCategoryChoices()}
          onChange={(category) => onChange({ category })}
        />
        {props.waitingCount > 0 && (
          <button type="button" aria-pressed={props.isWaitingShown} onClick={props.onToggleWaiting}>
            {t("unassignedCount", { n: props.waitingCount })}
          </button>
        )}
      </div>
    </>
  );
}
