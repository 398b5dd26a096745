import { useState } from "preact/hooks";
import type { ResourceAnswer } from "#domain/catalogue/resources/answer-types.ts";
import type { Immutable } from "#shared/immutable.ts";
import type { CopiedSeasonMessage, SeasonCopyRequest } from "#worker/api/office/resources/season-copy-messages.ts";
import { hasUserRight } from "../account.ts";
import { sendOfficeRequest, toOfficePath } from "../api.ts";
import { toRefusalTexts } from "../desk/refusals.ts";
import { useSubmitOnce } from "../desk/submit-once.ts";
import { linkTo } from "../route.ts";
import { reloadSetup } from "../setup-state.ts";
import { t } from "../texts.ts";

type Copied = Immutable<CopiedSeasonMessage["season"]>;

/** Copies a season with its prices to another year, and undoes the copy. */
export function CopySeason({ season }: { readonly season: ResourceAnswer<"seasons"> }) {
  const first = season.periods.map(({ date_from: from }) => String(from)).toSorted()[0];
  const [year, setYear] = useState(String(Number((first ?? "").slice(0, 4)) + 1));
  const [copy, setCopy] = useState<Copied>();
  const [notice, setNotice] = useState("");
  const { isBusy, send } = useSubmitOnce<CopiedSeasonMessage>({
    draft: ["copy-season", String(season.id)],
    title: t("copySeason"),
    take: (answer) => {
      if (!answer) return setNotice(t("notSent"));
      setNotice(answer.status === 201 ? "" : getProblemText(answer));
      setCopy(answer.status === 201 ? answer.body.season : undefined);
    },
  });
  if (!hasUserRight("prices") || first === undefined) return null;
  const submit = () => {
    const body = { year: Number(year) };
    return send(body, async (key) => {
      const answer = await sendOfficeRequest<CopiedSeasonMessage, SeasonCopyRequest>(
        "POST",
        toOfficePath(`/seasons/${season.id}/copy`),
        {
          body,
          key,
        },
      );
      if (answer.status === 201) reloadSetup();
      return answer;
    });
  };
  const undo = async ({ id }: Copied) => {
    const answer = await sendOfficeRequest("DELETE", toOfficePath(`/seasons/${id}/copy`)).catch(() => undefined);
    if (answer?.status === 204) {
      reloadSetup();
      setCopy(undefined);
    }
    setNotice(answer?.status === 204 ? t("copyUndone") : answer ? getProblemText(answer) : t("notSent"));
  };
  return (
    <section class="panel" aria-live="polite">
      <form
        class="line"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label>
          {t("copyToYear")}
          <input
            name="copy_year"
            inputMode="numeric"
            autocomplete="off"
            value={year}
            onInput={({ currentTarget }) => setYear(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={isBusy || !/^\d{4}$/.test(year)}>
          {t("copySeason")}
        </button>
      </form>
      {copy && (
        <p>
          {t("seasonCopied", { prices: copy.prices, rules: copy.selling_rules })}{" "}
          <a href={linkTo("list", "seasons", copy.id)}>{copy.name}</a>{" "}
          <button type="button" onClick={() => void undo(copy)}>
            {t("undoCopy")}
          </button>
        </p>
      )}
      {notice && <p role="alert">{notice}</p>}
    </section>
  );
}

function getProblemText(answer: Parameters<typeof toRefusalTexts>[0]): string {
  if (answer.body.code === "changed_meanwhile") return t("copyChanged");
  const { fields, notice } = toRefusalTexts(answer);
  return [notice, ...Object.values(fields)].join(" ");
}
