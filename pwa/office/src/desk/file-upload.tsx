import { useId, useState } from "preact/hooks";
import type { OfficeResponse } from "../api.ts";
import { t } from "../texts.ts";
import { readBase64 } from "./read-base64.ts";
import { formatRefusal } from "./refusals.ts";

interface FileUploadProps<Body extends object> {
  readonly label: string;
  /** Whether only screen readers get the label. */
  readonly isLabelHidden?: boolean;
  readonly accept: string;
  /** Sends the file's content in base64. */
  readonly send: (content: string, file: File) => Promise<OfficeResponse<Body>>;
  readonly onDone: (body: OfficeResponse<Body>["body"]) => void;
}

/** Input that sends a file when it is chosen, and shows why it was refused. */
export function FileUpload<Body extends object>({
  label,
  isLabelHidden = false,
  accept,
  send,
  onDone,
}: FileUploadProps<Body>) {
  const id = useId();
  const [wrong, setWrong] = useState("");
  const [isBusy, setBusy] = useState(false);
  const upload = async (file: File) => {
    setBusy(true);
    setWrong("");
    const answer = await readBase64(file)
      .then((content) => send(content, file))
      .catch(() => undefined);
    setBusy(false);
    if (answer && answer.status < 300) onDone(answer.body);
    else setWrong(answer ? formatRefusal(answer) : t("notSent"));
  };
  const input = (
    <input
      id={id}
      type="file"
      aria-label={isLabelHidden ? label : undefined}
      accept={accept}
      disabled={isBusy}
      onChange={({ currentTarget }) => {
        const [file] = currentTarget.files ?? [];
        if (file) void upload(file);
        currentTarget.value = "";
      }}
    />
  );
  return (
    <>
      {isLabelHidden ? (
        input
      ) : (
        <label for={id}>
          {label}
          {input}
        </label>
      )}
      {wrong && (
        <p role="alert" class="problem">
          {wrong}
        </p>
      )}
    </>
  );
}
