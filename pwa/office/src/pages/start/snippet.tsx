import { useState } from "preact/hooks";
import { t } from "../../texts.ts";

/** The two lines that put the booking on the company's own website. */
export const snippetFor = (origin: string) =>
  `<script src="${origin}/widget/rental-booking.js" async></script>\n<rental-booking account="${origin}"></rental-booking>`;

/** The lines, and a button that copies them. */
export function Snippet() {
  const [said, setSaid] = useState("");
  const text = snippetFor(location.origin);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid(t("copied")),
      () => setSaid(t("copyNot")),
    );
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: lines wider than the screen are scrolled by keys. */}
      <section class="snippet" aria-label={t("snippet")} tabIndex={0}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <div class="moves">
        <button type="button" onClick={() => void copy()}>
          {t("copy")}
        </button>
        <span role="status">{said}</span>
      </div>
    </>
  );
}
