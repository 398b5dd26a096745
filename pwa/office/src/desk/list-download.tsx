import { useState } from "preact/hooks";
import { getUserDecimalMark, hasUserRight } from "../account.ts";
import { fetchFile, toOfficePath } from "../api.ts";
import { urlQuery } from "../route.ts";
import { t } from "../texts.ts";
import { readFilterValue } from "./chosen-branch.ts";
import { saveFile } from "./save-file.ts";

interface TableFileProps {
  /** Path of the displayed list. `<path>.csv` returns it as CSV, `<path>.xlsx` as a workbook. */
  readonly path: string;
  /** Filter names of the list. */
  readonly names: readonly string[];
  readonly also?: Readonly<Record<string, string>>;
}

/** Downloads a list as a spreadsheet, with its error next to the button. */
export function ListDownload({ path, names, also = {} }: TableFileProps) {
  const [hasFailed, setFailed] = useState(false);
  if (!hasUserRight("exports")) return null;
  const save = async (format: "csv" | "xlsx") => {
    const filterPairs = names.flatMap((name) => {
      const value = readFilterValue(urlQuery.value, name);
      return value ? [[name, value]] : [];
    });
    const exportQuery = new URLSearchParams([
      ...filterPairs,
      ...Object.entries({ ...also, decimal_mark: getUserDecimalMark() }),
    ]);
    const file = await fetchFile(toOfficePath(`${path}.${format}?${exportQuery}`)).catch(() => undefined);
    setFailed(file === undefined);
    if (file) saveFile(file, `${path.slice(1)}.${format}`);
  };
  return (
    <span class="actions">
      <button type="button" class="small" onClick={() => void save("csv")}>
        {t("eventsCsv")}
      </button>
      <button type="button" class="small" onClick={() => void save("xlsx")}>
        {t("tableXlsx")}
      </button>
      <span role="alert" class="problem">
        {hasFailed && t("failed")}
      </span>
    </span>
  );
}
