import { useState } from "preact/hooks";
import { fetchFile, office } from "../api.ts";
import { query } from "../route.ts";
import { t } from "../texts.ts";
import { saveFile } from "./save-file.ts";

interface TableFileProps {
  /** Of the list that is shown; `<path>.csv` is the same as a table. */
  readonly path: string;
  /** What the list is narrowed by. */
  readonly names: readonly string[];
  readonly also?: Readonly<Record<string, string>>;
}

/** Gives what a list finds to whoever works on in a spreadsheet; what keeps it from that stands beside it. */
export function TableFile({ path, names, also = {} }: TableFileProps) {
  const [hasFailed, setFailed] = useState(false);
  const save = async () => {
    const filterPairs = names.flatMap((name) => {
      const value = query.value.get(name);
      return value ? [[name, value]] : [];
    });
    const exportQuery = new URLSearchParams([...filterPairs, ...Object.entries(also)]);
    const file = await fetchFile(office(`${path}.csv?${exportQuery}`)).catch(() => undefined);
    setFailed(file === undefined);
    if (file) saveFile(file, `${path.slice(1)}.csv`);
  };
  return (
    <span>
      <button type="button" onClick={() => void save()}>
        {t("eventsCsv")}
      </button>
      <span role="alert" class="problem">
        {hasFailed && t("failed")}
      </span>
    </span>
  );
}
