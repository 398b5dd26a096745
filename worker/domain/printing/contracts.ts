import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getColonWithSpacing } from "#domain/money-notation.ts";
import { hasPrintableSize, parseContractBlocks } from "./contract-blocks.ts";
import { getContractTexts } from "./contract-texts/index.ts";
import type { PrintoutSettings } from "./documents.ts";
import type { PrintedImage, PrintedSignature, Printout, PrintoutBlock } from "./printout.ts";
import { getPrintTexts } from "./texts.ts";

/** Maximum size of a printed signature. Phones send about 20 kB. */
export const MAX_SIGNATURE_BYTES = 300_000;

/** Contract text with its signature: a unit's delivery or return. */
export interface PrintedContractText {
  readonly text: string;
  readonly language: PlatformLanguage;
  /** Undefined if unsigned. Leaves space to sign on paper. */
  readonly signature: ContractTextSignature | undefined;
}

/** Signature of a delivery, exchange or return on a printed contract. */
export interface ContractTextSignature {
  readonly method: "drawn" | "typed" | "absent";
  readonly name: string;
  /** Time of the signature in the account's time zone. */
  readonly signedAt: string;
  readonly image: PrintedImage | undefined;
  readonly hash: string | undefined;
  /** Whether the hash is of the text above. Otherwise of the text that an older version showed. */
  readonly isOfText: boolean;
  readonly reason: string | undefined;
  /** Staff member who delivered or collected the vehicle. */
  readonly author: string;
}

/** Stamp of a contract that isn't valid yet, or no longer. */
export type ContractStatusMark = "draft" | "cancelled";

/** Creates a rental contract's printout. Each part is printed as signed, on separate pages. */
export function createContractPrintout(
  parts: readonly PrintedContractText[],
  { letterhead, language, country, issuer }: PrintoutSettings,
  {
    bookingId,
    at,
    stamp,
  }: { readonly bookingId: number; readonly at: number; readonly stamp: ContractStatusMark | undefined },
): Printout {
  const texts = getPrintTexts(language);
  return {
    title: `${getContractTexts(language).title} ${bookingId}`,
    language,
    country,
    at,
    letterhead,
    stamp: stamp && texts[stamp],
    words: texts,
    blocks: parts.flatMap((part, index) => [
      ...(index === 0 ? [] : [{ kind: "newPage" } as const]),
      ...partBlocks(part, issuer.name),
    ]),
  };
}

function partBlocks({ text, language, signature }: PrintedContractText, lessor: string): readonly PrintoutBlock[] {
  const texts = getContractTexts(language);
  const customer: PrintedSignature = signature
    ? {
        role: texts.signedBy,
        name: signature.name,
        detail: formatSignatureDetail(signature, language),
        image: signature.image,
      }
    : { role: texts.signedBy, name: "", detail: "", image: undefined };
  const own = { role: texts.lessor, name: lessor, detail: signature?.author ?? "", image: undefined };
  return [
    ...(hasPrintableSize(text)
      ? parseContractBlocks(text, texts)
      : [
          { kind: "title", text: texts.title, facts: [] } as const,
          { kind: "paragraph", text: getPrintTexts(language).tooLong, isSmall: false } as const,
        ]),
    { kind: "heading", text: texts.signatures },
    { kind: "signatures", signatures: [customer, own] },
    // An absent customer didn't agree to any text.
    ...(signature?.hash && signature.method !== "absent"
      ? [
          {
            kind: "paragraph",
            text: `${signature.isOfText ? texts.hash : texts.evidence}${getColonWithSpacing(language)} ${signature.hash}`,
            isSmall: true,
          } as const,
        ]
      : []),
  ];
}

function formatSignatureDetail(
  { method, name, signedAt, reason }: ContractTextSignature,
  language: PlatformLanguage,
): string {
  const texts = getContractTexts(language);
  const at = texts.signedAt.replace("{at}", signedAt);
  if (method === "typed") return `${at}, ${texts.typedName}`;
  return method === "drawn"
    ? at
    : [texts.absent.replace("{name}", () => name), reason].filter(Boolean).join(`${getColonWithSpacing(language)} `);
}
