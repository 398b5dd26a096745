import { useState } from "preact/hooks";
import { type OfficeResponse, sendOfficeRequest } from "../api.ts";
import { t } from "../texts.ts";
import { toRefusalTexts } from "./refusals.ts";

interface RowActionProps<Body extends object> {
  readonly label: string;
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: Body;
  readonly onDone: () => void;
}

/** Button of a row that sends one request, once per click, and shows why it was refused. */
export function RowAction<Body extends object = never>({
  label,
  method,
  path,
  body,
  onDone,
}: RowActionProps<NoInfer<Body>>) {
  const [isBusy, setBusy] = useState(false);
  const [notice, setNotice] = useState("");
  const run = async () => {
    setBusy(true);
    const key = crypto.randomUUID();
    const answer: OfficeResponse | undefined = await sendOfficeRequest<object, object>(method, path, {
      key,
      ...(body && { body }),
    }).catch(() => undefined);
    setBusy(false);
    if (answer && answer.status < 300) return onDone();
    setNotice(answer ? toRefusalTexts(answer).notice : t("notSent"));
  };
  return (
    <>
      <button type="button" class="small" disabled={isBusy} onClick={() => void run()}>
        {label}
      </button>
      {notice && (
        <small role="alert" class="problem">
          {notice}
        </small>
      )}
    </>
  );
}
