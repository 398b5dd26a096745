import { useEffect, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { DocumentChargeQuoteRequest } from "#worker/api/office/document-messages.ts";
import type { CaptureQuoteRequest } from "#worker/api/office/payment-link-messages.ts";
import { getResponseContent, type OfficeResponse, sendOfficeRequest, toOfficePath } from "../api.ts";
import { t } from "../texts.ts";
import type { PreviewLine } from "./preview-lines.ts";
import { type RefusalTexts, toFormRefusal } from "./refusals.ts";
import { parseTypedAmount } from "./typed-amount.ts";

const WAIT_MILLISECONDS = 250;

interface MoneyPreviewProps<Content> {
  /** Path of the preview, which takes an amount. */
  readonly path: string;
  /** Amount as it is typed. */
  readonly amount: unknown;
  readonly toLines: (content: Immutable<Content>) => readonly PreviewLine[];
  /** Called with the error of the amount, which the form shows next to its field, or with none. */
  readonly onRefused?: (fields: RefusalTexts["fields"]) => void;
}

/** What an amount would do, or why it is refused, before money moves. */
export function MoneyPreview<Content extends object>({ path, amount, toLines, onRefused }: MoneyPreviewProps<Content>) {
  const [preview, setPreview] = useState<{ readonly lines: readonly PreviewLine[]; readonly problem: string }>();
  const value = parseTypedAmount(String(amount ?? ""));
  useEffect(() => {
    setPreview(undefined);
    onRefused?.({});
    if (value === "") return;
    let isOver = false;
    const timer = setTimeout(() => {
      sendOfficeRequest<Content, CaptureQuoteRequest & DocumentChargeQuoteRequest>("POST", toOfficePath(path), {
        body: { amount: value },
      }).then(
        (answer) => {
          if (isOver) return;
          const content = getResponseContent(answer);
          if (content) return setPreview({ lines: toLines(content), problem: "" });
          const { fields, problem } = describeRefusal(answer, onRefused !== undefined);
          onRefused?.(fields);
          setPreview({ lines: [], problem });
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

// The form shows an error of the amount next to its field.
function describeRefusal(answer: OfficeResponse, isInForm: boolean) {
  const { fields, notice } = toFormRefusal(answer, ["amount"]);
  const { amount } = fields;
  return { fields, problem: amount === undefined ? notice : isInForm ? "" : amount };
}
