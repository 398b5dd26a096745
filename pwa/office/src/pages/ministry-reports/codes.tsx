import { useState } from "preact/hooks";
import type { ResourceAnswer } from "#domain/catalogue/resources/answer-types.ts";
import type { AuthorityCodeList } from "#domain/ministry-reports/lists.ts";
import { hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { useFormDraft } from "../../desk/use-form-draft.ts";
import { t } from "../../texts.ts";
import type { ResourceValues } from "../resources.ts";
import { type MinistryCodeLists, useMinistryCodeLists } from "./lists.ts";

const MAPPED = ["brand", "color", "type"] as const satisfies readonly AuthorityCodeList[];

const DRAFT = ["ministry-codes", ""] as const;

type ChosenCodes = Readonly<Record<string, string>>;

/** Mapping of vehicle data to official codes. Unrecognized values are mapped manually. */
export function OfficialCodeMapping() {
  const { lists, hasFailed, read } = useMinistryCodeLists();
  const { draft: typed, keepDraft, discardDraft } = useFormDraft<ChosenCodes>(DRAFT);
  const hasDraft = Object.keys(typed).length > 0;
  const [notice, setNotice] = useState(hasDraft ? t("draftKept") : "");
  const [problem, setProblem] = useState("");
  const discard = () => {
    discardDraft();
    setNotice("");
  };
  const save = async () => {
    setNotice("");
    setProblem("");
    const refused = await saveCodes(typed).catch(() => t("notSent"));
    if (refused) return setProblem(refused);
    discard();
    setNotice(t("saved"));
    return read();
  };
  return (
    <>
      <p class="soft">{t("aboutCodes")}</p>
      <LoadErrorMessage problem={hasFailed ? t("notLoaded") : ""} onRetry={read} />
      {!lists && !hasFailed && <p>{t("loading")}</p>}
      {lists && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <div class="columns even wide">
            {MAPPED.map((list) => (
              <Mapping
                key={list}
                of={lists}
                list={list}
                chosenCodes={typed}
                onChange={(name, code) => keepDraft({ ...typed, [name]: code })}
              />
            ))}
          </div>
          <div class="foot wide">
            <p role="status">{notice}</p>
            {problem && <p role="alert">{problem}</p>}
            {hasUserRight("administer") && (
              <button type="submit" class="main" disabled={!hasDraft}>
                {t("save")}
              </button>
            )}
            {hasDraft && (
              <button type="button" onClick={discard}>
                {t("discard")}
              </button>
            )}
          </div>
        </form>
      )}
    </>
  );
}

interface MappingProps {
  readonly of: MinistryCodeLists;
  readonly list: AuthorityCodeList;
  readonly chosenCodes: ChosenCodes;
  readonly onChange: (name: string, code: string) => void;
}

function Mapping({ of, list, chosenCodes, onChange }: MappingProps) {
  const entries = of.lists.find((item) => item.list === list)?.entries ?? [];
  const listWords = of.words.filter((word) => word.list === list);
  const choice = (name: string, label: string, storedCode: string | null, itself: string | null) => (
    <select
      aria-label={label}
      value={chosenCodes[name] ?? storedCode ?? ""}
      disabled={!hasUserRight("administer")}
      onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
    >
      <option value="">{itself ? t("codeByItself", { code: itself }) : t("codeMissing")}</option>
      {entries.map(({ code, name: word }) => (
        <option key={code} value={code}>
          {word} ({code})
        </option>
      ))}
    </select>
  );
  return (
    <section class="panel" aria-labelledby={`codes-${list}`}>
      <h2 id={`codes-${list}`}>{t(`listName.${list}`)}</h2>
      <ul class="plain">
        {listWords.map(({ word, vehicles, chosen, code }) => (
          <li key={word} class="stacked">
            <span>
              <span class={code ? "strong" : "strong problem"}>{word}</span>{" "}
              <small>{t("vehiclesOf", { n: vehicles })}</small>
            </span>
            {choice(`${list}:${word}`, word, chosen, chosen ? null : code)}
          </li>
        ))}
        <li class="stacked">
          <span class="strong">{t("allOthers")}</span>
          {choice(`${list}:*`, t("allOthers"), of.others[list] ?? null, list === "type" ? "TURISMO" : null)}
        </li>
      </ul>
    </section>
  );
}

/** Saves the mapping in addition to the existing one. Returns the error, if any. */
async function saveCodes(chosenCodes: ChosenCodes): Promise<string | undefined> {
  const { body } = await sendOfficeRequest<{ readonly settings: ResourceAnswer<"settings"> }>(
    "GET",
    toOfficePath("/settings"),
  );
  const { settings } = body;
  if (!settings) return t("notAllowed");
  const codes = Object.entries({ ...settings.ses_codes, ...chosenCodes }).filter(([, code]) => code !== "");
  const change = { expected_version: settings.version, ses_codes: Object.fromEntries(codes) };
  const answer = await sendOfficeRequest<object, ResourceValues>("PATCH", toOfficePath("/settings"), { body: change });
  return answer.status < 300 ? undefined : toRefusalTexts(answer).notice;
}
