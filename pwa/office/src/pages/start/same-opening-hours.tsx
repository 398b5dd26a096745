import { useState } from "preact/hooks";
import { account } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { t, tOr } from "../../texts.ts";
import { CheckboxGroup } from "../list-inputs.tsx";
import type { ResourceValues } from "../resources.ts";

const WEEK = [1, 2, 3, 4, 5, 6, 7];
const CONFLICT_STATUS = 409;

interface SameHoursProps {
  /** Branches without opening hours. Others keep theirs. */
  readonly branches: readonly string[];
  readonly onDone: () => void;
}

/** Sets the same opening hours on several weekdays for all branches without any. */
export function SameOpeningHoursForm({ branches, onDone }: SameHoursProps) {
  const [days, setDays] = useState<readonly number[]>(WEEK);
  const [opens, setOpens] = useState("09:00");
  const [closes, setCloses] = useState("19:00");
  const [problem, setProblem] = useState("");
  const save = async () => {
    if (closes <= opens) return setProblem(t("problem.later", { limit: opens }));
    const without = account.value.rental_locations.filter(({ name }) => branches.includes(name));
    const missingHours = without.flatMap(({ code }) =>
      days.map((weekday) => ({ rental_location_code: code, weekday, opens, closes })),
    );
    for (const body of missingHours) {
      const answer = await sendOfficeRequest<object, ResourceValues>("POST", toOfficePath("/opening-hours"), { body });
      // A conflict means that the branch already has opening hours. They stay unchanged.
      if (answer.status >= 300 && answer.status !== CONFLICT_STATUS) return setProblem(getErrorText(answer));
    }
    onDone();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setProblem("");
        save().catch(() => setProblem(t("notSent")));
      }}
    >
      <fieldset class="wide">
        <legend>{t("sameHours")}</legend>
        <CheckboxGroup
          choices={WEEK.map((day) => [day, tOr(`day.${day}`, String(day))])}
          value={days}
          onChange={(value) => setDays(value as readonly number[])}
        />
      </fieldset>
      <label>
        {t("hoursFrom")}
        <input type="time" value={opens} onInput={(event) => setOpens(event.currentTarget.value)} />
      </label>
      <label>
        {t("hoursTo")}
        <input type="time" value={closes} onInput={(event) => setCloses(event.currentTarget.value)} />
      </label>
      <p role="alert" class="problem wide">
        {problem}
      </p>
      <button type="submit" disabled={days.length === 0}>
        {t("stepDo.hours")}
      </button>
    </form>
  );
}

function getErrorText(answer: Parameters<typeof toRefusalTexts>[0]): string {
  const { fields, notice } = toRefusalTexts(answer);
  return [notice, ...Object.values(fields)].join(" ");
}
