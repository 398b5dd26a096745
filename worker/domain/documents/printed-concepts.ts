import { createContractItems, type PricedContract } from "./contract-items.ts";
import type { DocumentItem } from "./items.ts";
import { getDocumentTexts } from "./texts.ts";

/** Concepts in the language in which a document is printed, by their text in the account's language. */
export type PrintedConcepts = ReadonlyMap<string, string>;

/**
 * Returns the printed concepts of a contract's documents. Items are compared and reported in the account's language.
 * Concepts of its earlier documents are printed as they were issued.
 */
export function getPrintedConcepts(
  contract: PricedContract,
  earlier: readonly { readonly items: readonly DocumentItem[] }[],
): PrintedConcepts {
  const { language, printLanguage = language } = contract;
  const issued = earlier.flatMap(({ items }) => [...collectPrintedConcepts(items)]);
  if (printLanguage === language) return new Map(issued);
  const [own, printed] = [getDocumentTexts(language), getDocumentTexts(printLanguage)];
  const items = createContractItems(toPrinted(contract));
  return new Map([
    [own.advance, printed.advance],
    [own.reduction, printed.reduction],
    ...createContractItems(contract).map(({ concept }, index) => [concept, items[index]?.concept ?? concept] as const),
    ...issued,
  ]);
}

/** Returns the printed concepts of a document's items. */
export function collectPrintedConcepts(items: readonly DocumentItem[]): PrintedConcepts {
  return new Map(
    items.flatMap(({ concept, printedConcept }) => (printedConcept ? [[concept, printedConcept] as const] : [])),
  );
}

/** Adds the printed concept to items that have none and whose concept is printed differently. */
export function addPrintedConcepts(
  items: readonly DocumentItem[],
  concepts: PrintedConcepts | undefined,
): readonly DocumentItem[] {
  return items.map((item) => {
    const printedConcept = item.printedConcept ?? concepts?.get(item.concept);
    return printedConcept === undefined || printedConcept === item.concept ? item : { ...item, printedConcept };
  });
}

function toPrinted(contract: PricedContract): PricedContract {
  const { language, printLanguage = language, lines, extras, parts, printedParts = parts } = contract;
  const inLanguage = <Part extends { readonly description: string; readonly printedDescription?: string | undefined }>(
    part: Part,
  ) => ({ ...part, description: part.printedDescription ?? part.description });
  return {
    ...contract,
    language: printLanguage,
    lines: lines.map(inLanguage),
    extras: extras.map(inLanguage),
    parts: parts && printedParts,
  };
}
