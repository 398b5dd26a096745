import { useState } from "preact/hooks";
import { t } from "../texts.ts";

interface CopyLinkProps {
  readonly url: string;
  /** Target of the link, for screen readers. */
  readonly of: string;
}

/** Button that copies a link. Without access to the clipboard, it shows the link to select. */
export function CopyLink({ url, of }: CopyLinkProps) {
  const [state, setState] = useState<"ready" | "copied" | "shown">("ready");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setState("copied");
    } catch {
      setState("shown");
    }
  };
  return (
    <span class="copy-link">
      <button type="button" class="small" aria-label={`${t("copyLink")}: ${of}`} onClick={() => void copy()}>
        {t("copyLink")}
      </button>
      {state === "shown" && (
        <input class="link" aria-label={of} readOnly value={url} ref={(input) => input?.select()} />
      )}
      <span role="status" class="soft">
        {state === "copied" && t("linkCopied")}
        {state === "shown" && t("copyNot")}
      </span>
    </span>
  );
}
