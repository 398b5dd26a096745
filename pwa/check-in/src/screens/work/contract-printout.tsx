import { parseContractBlocks } from "#domain/printing/contract-blocks.ts";
import { getContractTexts } from "#domain/printing/contract-texts/index.ts";
import type { PrintoutBlock, PrintoutLabelledValue } from "#domain/printing/printout.ts";
import { t } from "../../i18n/texts.ts";
import type { ContractText } from "../../state/contract.ts";

/** The contract text, shown before signing. */
export default function ContractPrintout({ contract }: { readonly contract: ContractText }) {
  const blocks = parseContractBlocks(contract.text, getContractTexts(contract.language));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with the keyboard too
    <section class="contract-paper" lang={contract.language} aria-label={t("readContract")} tabIndex={0}>
      {blocks.map((block, index) => (
        <DocumentBlock key={index} block={block} />
      ))}
    </section>
  );
}

function DocumentBlock({ block }: { readonly block: PrintoutBlock }) {
  switch (block.kind) {
    case "title":
      return <h2>{block.text}</h2>;
    case "heading":
      return <h3>{block.text}</h3>;
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
    <dl>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
