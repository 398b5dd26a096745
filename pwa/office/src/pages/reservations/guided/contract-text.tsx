import { useEffect } from "preact/hooks";
import { parseContractBlocks } from "#domain/printing/contract-blocks.ts";
import { getContractTexts } from "#domain/printing/contract-texts/index.ts";
import type { PrintoutBlock, PrintoutLabelledValue } from "#domain/printing/printout.ts";
import type { ContractTextsMessage, ReturnRecordMessage } from "#worker/api/office/contract-text-messages.ts";
import { LoadErrorMessage } from "../../../desk/load-error.tsx";
import { useResource } from "../../../desk/use-resource.tsx";
import { t } from "../../../texts.ts";
import type { ShownContractText } from "./send-signature.ts";

interface ContractTextProps {
  /** Address of the text, with the hand-over as typed. */
  readonly path: string;
  /** The return as typed. */
  readonly body?: object | undefined;
  /** Called with the text after it was shown. */
  readonly onRead: (contract: ShownContractText) => void;
}

/** Text of a hand-over or return that the customer hasn't signed yet, to read before signing. */
export default function ContractText({ path, body, onRead }: ContractTextProps) {
  const { whole, problem, retry } = useResource<ContractTextsMessage & Partial<Pick<ReturnRecordMessage, "at">>>(path, {
    body,
  });
  const unsignedParts = whole?.data.filter((part) => !part.is_signed) ?? [];
  const [unsigned] = unsignedParts;
  useEffect(() => {
    if (unsigned) onRead({ ...unsigned, at: whole?.at });
  }, [unsigned?.text]);
  if (!whole) return problem ? <LoadErrorMessage problem={problem} onRetry={retry} /> : <p>{t("loading")}</p>;
  return (
    <>
      {unsignedParts.map(({ text, language }) => (
        <div key={text} lang={language}>
          {parseContractBlocks(text, getContractTexts(language)).map((block, index) => (
            <DocumentBlock key={index} block={block} />
          ))}
        </div>
      ))}
    </>
  );
}

function DocumentBlock({ block }: { readonly block: PrintoutBlock }) {
  switch (block.kind) {
    case "title":
      return <h3>{block.text}</h3>;
    case "heading":
      return <h4>{block.text}</h4>;
    case "paragraph":
      return <p>{block.text}</p>;
    case "facts":
      return <Facts facts={block.facts} />;
    case "sums":
      return <Facts facts={block.sums} />;
    case "table":
      return (
        <Facts
          facts={block.rows.map(([label = "", quantity = "", value = ""]) => ({
            label: `${label} × ${quantity}`,
            value,
          }))}
        />
      );
    case "vehicle":
      return (
        <ul>
          {block.legend.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      );
    default:
      return null;
  }
}

function Facts({ facts }: { readonly facts: readonly PrintoutLabelledValue[] }) {
  return (
    <dl class="facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
