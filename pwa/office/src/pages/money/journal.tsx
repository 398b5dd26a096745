import { useState } from "preact/hooks";
import { hasUserRight } from "../../account.ts";
import { fetchFileOrRefusal, toOfficePath } from "../../api.ts";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { saveFile } from "../../desk/save-file.ts";
import { urlQuery } from "../../route.ts";
import { t } from "../../texts.ts";

const FORMATS = { csv: "journalCsv", datev: "journalDatev" } as const;

/** Downloads the accounting journal of the filtered days, or of the current year. For administrators. */
export function JournalDownload() {
  const [problem, setProblem] = useState("");
  if (!hasUserRight("administer")) return null;
  const save = async (format: keyof typeof FORMATS) => {
    setProblem("");
    const year = new Date().getFullYear();
    const days = {
      date_from: urlQuery.value.get("date_from") || `${year}-01-01`,
      date_to: urlQuery.value.get("date_to") || `${year}-12-31`,
    };
    const path = toOfficePath(`/journal?${new URLSearchParams({ ...days, format })}`);
    const answer = await fetchFileOrRefusal(path).catch(() => undefined);
    if (!answer) return setProblem(t("notSent"));
    if (!("refusal" in answer)) return saveFile(answer.file, answer.name);
    const { fields, notice } = toRefusalTexts(answer.refusal);
    setProblem(Object.values(fields).join(" ") || notice);
  };
  return (
    <span class="actions">
      {(["csv", "datev"] as const).map((format) => (
        <button key={format} type="button" class="small" onClick={() => void save(format)}>
          {t(FORMATS[format])}
        </button>
      ))}
      <span role="alert" class="problem">
        {problem}
      </span>
    </span>
  );
}
