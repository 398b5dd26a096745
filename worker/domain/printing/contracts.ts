import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { contractTexts } from "./contract-texts/index.ts";
import type { Printing } from "./documents.ts";
import type { Block, PrintedImage, PrintedSignature, Printout } from "./printout.ts";
import { readContract } from "./read-contract.ts";
import { printTexts } from "./texts.ts";

/** A text of a contract with who signed it: the hand-over of a unit, or its return. */
export interface SignedPart {
  readonly text: string;
  readonly language: PlatformLanguage;
  /** Undefined where nobody has signed: room to sign on paper. */
  readonly signature: PartSignature | undefined;
}

export interface PartSignature {
  readonly method: "drawn" | "typed" | "absent";
  readonly name: string;
  /** As the account's own clock showed it. */
  readonly signedAt: string;
  readonly image: PrintedImage | undefined;
  readonly hash: string | undefined;
  /** Whether the hash is that of the text above it; else of what older phones signed. */
  readonly isOfText: boolean;
  readonly reason: string | undefined;
  /** Who handed over or took back. */
  readonly author: string;
}

/** What is said across a contract that does not hold: not yet, or not any more. */
export type ContractStamp = "draft" | "cancelled";

/** The contract of a rental as blocks: each part as it was signed, on pages of its own. */
export function contractPrintout(
  parts: readonly SignedPart[],
  { letterhead, language, country, issuer }: Printing,
  {
    bookingId,
    at,
    stamp,
  }: { readonly bookingId: number; readonly at: number; readonly stamp: ContractStamp | undefined },
): Printout {
  const texts = printTexts(language);
  return {
    title: `${contractTexts(language).title} ${bookingId}`,
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

function partBlocks({ text, language, signature }: SignedPart, lessor: string): readonly Block[] {
  const texts = contractTexts(language);
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
    ...readContract(text, texts),
    { kind: "heading", text: texts.signatures },
    { kind: "signatures", signatures: [customer, own] },
    // Who was not there agreed to no text.
    ...(signature?.hash && signature.method !== "absent"
      ? [
          {
            kind: "paragraph",
            text: `${signature.isOfText ? texts.hash : texts.evidence}: ${signature.hash}`,
            isSmall: true,
          } as const,
        ]
      : []),
  ];
}

function formatSignatureDetail({ method, name, signedAt, reason }: PartSignature, language: PlatformLanguage): string {
  const texts = contractTexts(language);
  const at = texts.signedAt.replace("{at}", signedAt);
  if (method === "typed") return `${at}, ${texts.typed}`;
  return method === "drawn" ? at : [texts.absent.replace("{name}", name), reason].filter(Boolean).join(": ");
}
