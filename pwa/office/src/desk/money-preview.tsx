import { useEffect, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { DocumentChargeQuoteRequest } from "#worker/api/office/document-messages.ts";
import type { CaptureQuoteRequest } from "#worker/api/office/payment-link-messages.ts";
import { ask, getContent, toOfficePath } from "../api.ts";
import { t } from "../texts.ts";
import { describeRefusal } from "./bulk-actions.ts";
import type { PreviewLine } from "./preview-lines.ts";
import { parseTypedAmount } from "./typed-amount.ts";

const WAIT_MILLISECONDS = 250;

interface MoneyPreviewProps<Content> {
  /** Path of the preview, which takes an amount. */
  readonly path: string;
  /** Amount as it is typed. */
  readonly amount: unknown;
  readonly toLines: (content: Immutable<Content>) => readonly PreviewLine[];
}

/** What an amount would do, or why it is refused, before money moves. */
export function MoneyPreview<Content extends object>({ path, amount, toLines }: MoneyPreviewProps<Content>) {
  const [preview, setPreview] = useState<{ readonly lines: readonly PreviewLine[]; readonly problem: string }>();
  const value = parseTypedAmount(String(amount ?? ""));
  useEffect(() => {
    setPreview(undefined);
    if (value === "") return;
    let isOver = false;
    const timer = setTimeout(() => {
      ask<Content, CaptureQuoteRequest & DocumentChargeQuoteRequest>("POST", toOfficePath(path), {
        body: { amount: value },
      }).then(
        (answer) => {
          if (isOver) return;
          const content = getContent(answer);
          setPreview(
            content ? { lines: toLines(content), problem: "" } : { lines: [], problem: describeRefusal(answer).text },
          );
        },
        // Without a preview the form still works. Sending it reports the error.
        () => undefined,
      );
    }, WAIT_MILLISECONDS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [path, value]);
  if (value === "") return null;
  return (
    <div role="status" class="preview">
      {!preview && <p class="soft">{t("loading")}</p>}
      {preview?.problem && <p class="notice refused">{preview.problem}</p>}
      {preview && preview.lines.length > 0 && (
        <dl class="totals">
          {preview.lines.map(([label, text]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd class="number">{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
