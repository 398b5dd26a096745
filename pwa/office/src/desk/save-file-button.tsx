import { useState } from "preact/hooks";
import { fetchFile, toOfficePath } from "../api.ts";
import { t } from "../texts.ts";
import { saveFile } from "./save-file.ts";

interface SaveFileProps {
  readonly path: string;
  /** Name of the saved file. */
  readonly file: string;
  readonly text: string;
}

/** Button that saves a file, with its error next to it. */
export function SaveFileButton({ path, file, text }: SaveFileProps) {
  const [hasFailed, setFailed] = useState(false);
  const save = async () => {
    const content = await fetchFile(toOfficePath(path)).catch(() => undefined);
    setFailed(content === undefined);
    if (content) saveFile(content, file);
  };
  return (
    <span>
      <button type="button" onClick={() => void save()}>
        {text}
      </button>
      <span role="alert" class="problem">
        {hasFailed && t("failed")}
      </span>
    </span>
  );
}
