import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { DocumentChargeQuoteRequest } from "#worker/api/office/document-messages.ts";
import type { CaptureQuoteRequest } from "#worker/api/office/payment-link-messages.ts";
import { getSuccessfulContent, type OfficeResponse, sendOfficeRequest, toOfficePath } from "../api.ts";
import { t } from "../texts.ts";
import type { PreviewLine } from "./preview-lines.ts";
import { type RefusalTexts, toFormRefusal } from "./refusals.ts";
import { parseTypedAmount } from "./typed-amount.ts";

const WAIT_MILLISECONDS = 250;

interface Preview<Content> {
  readonly content?: Immutable<Content>;
  readonly problem: string;
}

interface MoneyPreviewProps<Content> {
  /** Path of the preview, which takes an amount. */
  readonly path: string;
  /** Amount as it is typed. */
  readonly amount: unknown;
  readonly toLines: (content: Immutable<Content>) => readonly PreviewLine[];
  /** Explanation of the result, below its lines. */
  readonly explain?: (content: Immutable<Content>) => ComponentChildren;
  /** Called with the error of the amount, which the form shows next to its field, or with none. */
  readonly onRefused?: (fields: RefusalTexts["fields"]) => void;
}

/** Preview of an amount: its effect, or the reason for its refusal. */
export function MoneyPreview<Content extends object>(props: MoneyPreviewProps<Content>) {
  const { path, amount, toLines, explain, onRefused } = props;
  const [preview, setPreview] = useState<Preview<Content>>();
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
          const content = getSuccessfulContent(answer);
          if (content) return setPreview({ content, problem: "" });
          const { fields, problem } = describeRefusal(answer, onRefused !== undefined);
          onRefused?.(fields);
          setPreview({ problem });
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
    <div role="status" class="preview wide">
      {!preview && <p class="soft">{t("loading")}</p>}
      {preview?.problem && <p class="notice refused">{preview.problem}</p>}
      {preview?.content && (
        <dl class="money">
          {toLines(preview.content).map(([label, text]) => (
            <div key={label} class="sum">
              <dt>{label}</dt>
              <dd class="number">{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {preview?.content && explain?.(preview.content)}
    </div>
  );
}

// The form shows an error of the amount next to its field.
function describeRefusal(answer: OfficeResponse, isInForm: boolean) {
  const { fields, notice } = toFormRefusal(answer, ["amount"]);
  const { amount } = fields;
  return { fields, problem: amount === undefined ? notice : isInForm ? "" : amount };
}
