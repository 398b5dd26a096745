import type { SpokenLanguage } from "#domain/catalogue/languages.ts";
import { contractTexts } from "./contract-texts/index.ts";
import type { Printing } from "./documents.ts";
import type { Block, PrintedImage, PrintedSignature, Printout } from "./printout.ts";
import { readContract } from "./read-contract.ts";
import { printTexts } from "./texts.ts";

/** A text of a contract with who signed it: the hand-over of a unit, or its return. */
export interface SignedPart {
  readonly text: string;
  readonly language: SpokenLanguage;
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
  const words = printTexts(language);
  return {
    title: `${contractTexts(language).title} ${bookingId}`,
    language,
    country,
    at,
    letterhead,
    stamp: stamp && words[stamp],
    words,
    blocks: parts.flatMap((part, index) => [
      ...(index === 0 ? [] : [{ kind: "newPage" } as const]),
      ...partBlocks(part, issuer.name),
    ]),
  };
}

function partBlocks({ text, language, signature }: SignedPart, lessor: string): readonly Block[] {
  const words = contractTexts(language);
  const customer: PrintedSignature = signature
    ? { role: words.signedBy, name: signature.name, detail: detailOf(signature, language), image: signature.image }
    : { role: words.signedBy, name: "", detail: "", image: undefined };
  const own = { role: words.lessor, name: lessor, detail: signature?.author ?? "", image: undefined };
  return [
    ...readContract(text, words),
    { kind: "heading", text: words.signatures },
    { kind: "signatures", signatures: [customer, own] },
    // Who was not there agreed to no text.
    ...(signature?.hash && signature.method !== "absent"
      ? [
          {
            kind: "paragraph",
            text: `${signature.isOfText ? words.hash : words.evidence}: ${signature.hash}`,
            isSmall: true,
          } as const,
        ]
      : []),
  ];
}

function detailOf({ method, name, signedAt, reason }: PartSignature, language: SpokenLanguage): string {
  const words = contractTexts(language);
  const at = words.signedAt.replace("{at}", signedAt);
  if (method === "typed") return `${at}, ${words.typed}`;
  return method === "drawn" ? at : [words.absent.replace("{name}", name), reason].filter(Boolean).join(": ");
}
