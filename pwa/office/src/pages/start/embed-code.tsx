import { useState } from "preact/hooks";
import { account } from "../../account.ts";
import { t } from "../../texts.ts";

// Creates the two-line embed code. A required key is left to be filled in.
function snippetFor(origin: string, needsKey: boolean): string {
  const key = needsKey ? ' key="…"' : "";
  return `<script src="${origin}/widget/rental-booking.js" async></script>\n<rental-booking account="${origin}"${key}></rental-booking>`;
}

/** Embed code with a copy button. */
export function WidgetEmbedCode() {
  const [notice, setNotice] = useState("");
  const text = snippetFor(location.origin, !account.value.books_at_own_address);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setNotice(t("copied")),
      () => setNotice(t("copyNot")),
    );
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: lines wider than the screen are scrolled by keys. */}
      <section class="snippet" aria-label={t("snippet")} tabIndex={0}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <div class="buttons">
        <button type="button" onClick={() => void copy()}>
          {t("copy")}
        </button>
        <span role="status">{notice}</span>
      </div>
    </>
  );
}
