import { useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { OpeningWeekMessage, OpeningWeekRequest } from "#worker/api/office/resources/opening-week-messages.ts";
import { account, hasUserRight } from "../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../api.ts";
import { Select } from "../desk/inputs.tsx";
import { LoadErrorMessage } from "../desk/load-error.tsx";
import { toRefusalTexts } from "../desk/refusals.ts";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { useSubmitOnce } from "../desk/submit-once.ts";
import { useFormDraft } from "../desk/use-form-draft.ts";
import { useResource } from "../desk/use-resource.tsx";
import { Icon } from "../icons.tsx";
import { linkTo, replaceRoute } from "../route.ts";
import { reloadSetup } from "../setup-state.ts";
import { t, tOr } from "../texts.ts";
import { copyMondayToWeek, formatDayTimes, mergeWeeks, type WeekTime } from "./week-times.ts";

const DRAFT = "opening-week";

/** Typed times with the week that they change. Empty if nothing is typed. */
interface TypedWeek {
  readonly times?: readonly WeekTime[];
  readonly seen?: Pick<Immutable<OpeningWeekMessage["week"]>, "times" | "version">;
  /** Whether another user changed the week meanwhile, so that the stored times are shown beside the typed ones. */
  readonly isConflict?: boolean;
}

const DAYS = [1, 2, 3, 4, 5, 6, 7];
const NEW_TIME = { opens: "09:00", closes: "19:00" };
const dayName = (weekday: number) => tOr(`day.${weekday}`, String(weekday));

/** A branch's opening hours of a week in one form. */
export default function OpeningWeek({ path }: { readonly path: readonly string[] }) {
  const branches = account.value.rental_locations;
  const branch = path[0] ?? branches[0]?.code ?? "";
  return (
    <main>
      <SettingsCrumbs />
      <div class="head">
        <h1>{t("openingWeek")}</h1>
        <a class="button" href={linkTo("list", "special-hours")}>
          {t("list.special-hours")}
        </a>
      </div>
      <p class="soft">{t("about.opening-week")}</p>
      {branches.length > 1 && (
        <label class="week-branch">
          {t("field.rental_location_code")}
          <Select
            name="branch"
            value={branch}
            choices={branches.map(({ code, name }) => [code, name] as const)}
            onChange={(code) => replaceRoute("opening-week", code)}
          />
        </label>
      )}
      {branch !== "" && <Week key={branch} branch={branch} />}
    </main>
  );
}

function Week({ branch }: { readonly branch: string }) {
  const path = toOfficePath(`/opening-hours/week?rental_location_code=${encodeURIComponent(branch)}`);
  const { whole, setWhole, problem, retry } = useResource<OpeningWeekMessage>(path);
  const { draft: typed, keepDraft, discardDraft } = useFormDraft<TypedWeek>([DRAFT, branch]);
  const [notice, setNotice] = useState(() => (typed.times ? t("draftKept") : ""));
  const take = (answer: OfficeResponse<OpeningWeekMessage> | undefined) => {
    if (!answer) return setNotice(t("notSent"));
    const now = answer.body.week;
    if (now) setWhole({ week: now });
    if (answer.status < 300) discardDraft();
    else if (now && whole) {
      const { times = whole.week.times, seen = whole.week } = typed;
      keepDraft({ times: mergeWeeks(seen.times, times, now.times), seen: now, isConflict: true });
    }
    setNotice(answer.status < 300 ? t("weekSaved") : getErrorText(answer));
  };
  const { isBusy, send } = useSubmitOnce<OpeningWeekMessage>({
    draft: [DRAFT, branch],
    title: t("openingWeek"),
    take,
  });
  if (!whole) return problem ? <LoadErrorMessage problem={problem} onRetry={retry} /> : <p>{t("loading")}</p>;
  const { week } = whole;
  const { times = week.times, seen = week, isConflict = false } = typed;
  const change = (next: readonly WeekTime[]) => {
    keepDraft({ times: next, seen, isConflict });
    setNotice("");
  };
  const discard = () => {
    discardDraft();
    setNotice("");
  };
  const save = () => {
    const body: Immutable<OpeningWeekRequest> = { expected_version: seen.version, times };
    return send(body, async (key) => {
      const answer = await sendOfficeRequest<OpeningWeekMessage, OpeningWeekRequest>("PUT", path, { body, key });
      if (answer.status < 300) reloadSetup();
      return answer;
    });
  };
  const mayChange = hasUserRight("manage");
  return (
    <form
      class="week"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {!mayChange && <p class="wide waits">{t("onlyRead")}</p>}
      {DAYS.map((day) => (
        <Day
          key={day}
          day={day}
          times={times}
          otherTimes={isConflict ? week.times : times}
          isFixed={!mayChange}
          onChange={change}
        />
      ))}
      <p class="soft wide">{t("weekAlways")}</p>
      <div class="foot">
        <p role="status">{notice}</p>
        {mayChange && (
          <>
            <button type="button" onClick={() => change(copyMondayToWeek(times))}>
              {t("sameAsMonday")}
            </button>
            <button type="submit" class="main" disabled={isBusy}>
              {t("save")}
            </button>
          </>
        )}
        {typed.times && (
          <button type="button" disabled={isBusy} onClick={discard}>
            {t("discard")}
          </button>
        )}
      </div>
    </form>
  );
}

interface DayProps {
  readonly day: number;
  readonly times: readonly WeekTime[];
  /** Times of another user, shown if they differ. */
  readonly otherTimes: readonly WeekTime[];
  readonly isFixed: boolean;
  readonly onChange: (times: readonly WeekTime[]) => void;
}

function Day({ day, times, otherTimes, isFixed, onChange }: DayProps) {
  const name = dayName(day);
  const own = times.flatMap((time, index) => (time.weekday === day ? [{ time, index }] : []));
  const stored = formatDayTimes(otherTimes, day);
  const setTime = (index: number, part: Partial<WeekTime>) =>
    onChange(times.map((time, at) => (at === index ? { ...time, ...part } : time)));
  return (
    <fieldset class="wide week-day" disabled={isFixed}>
      <legend>{name}</legend>
      {own.length === 0 && <p class="soft">{t("closedAllDay")}</p>}
      {own.map(({ time, index }) => (
        <span key={index} class="week-time">
          <input
            type="time"
            class="week-box"
            aria-label={t("dayOpens", { day: name })}
            value={time.opens}
            onInput={({ currentTarget }) => setTime(index, { opens: currentTarget.value })}
          />
          <span aria-hidden="true">–</span>
          <input
            type="time"
            class="week-box"
            aria-label={t("dayCloses", { day: name })}
            value={time.closes}
            onInput={({ currentTarget }) => setTime(index, { closes: currentTarget.value })}
          />
          <button
            type="button"
            class="quiet"
            aria-label={t("removeTime", { day: name, opens: time.opens })}
            onClick={() => onChange(times.filter((_, at) => at !== index))}
          >
            <Icon name="close" isSmall />
          </button>
        </span>
      ))}
      <button
        type="button"
        class="quiet"
        aria-label={t("addTime", { day: name })}
        onClick={() => onChange([...times, { weekday: day, ...NEW_TIME }])}
      >
        <Icon name="plus" isSmall />
      </button>
      {stored !== formatDayTimes(times, day) && (
        <p class="theirs">{t("theirs", { value: stored || t("closedAllDay") })}</p>
      )}
    </fieldset>
  );
}

function getErrorText(answer: OfficeResponse<OpeningWeekMessage>): string {
  if (answer.body.code === "changed_meanwhile") return t("changedMeanwhile");
  const { fields, notice } = toRefusalTexts(answer);
  return [notice, ...Object.values(fields)].join(" ");
}
