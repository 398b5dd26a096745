import { useState } from "preact/hooks";
import type { Typed } from "#shared/typed-requests.ts";
import type { ReturnRecordRequest } from "#worker/api/office/hand-over-messages.ts";
import { lazyPart } from "../../../desk/lazy-page.tsx";
import { buildSignatureBody, type ReadContract, type SignatureBody } from "./send-signature.ts";
import { Signature } from "./signature.tsx";
import { translateGuided as g } from "./texts.ts";
import type { GuidedState } from "./use-guided-action.ts";

const ContractText = lazyPart(() => import("./contract-text.tsx"));

/** Signature with the text that the customer read. */
export interface SignedText {
  readonly png: Blob;
  /** Identifies the text at signing. Another text needs another signature. */
  readonly id: string;
  /** Undefined if the text wasn't shown. */
  readonly contract: ReadContract | undefined;
}

/** Whether the text changed after it was signed, so that it must be signed again. */
export const isSignatureOutdated = (signed: Pick<SignedText, "id"> | undefined, id: string): boolean =>
  signed !== undefined && signed.id !== id;

interface Signing extends Pick<GuidedState, "now" | "setWrong"> {
  readonly signed: SignedText | undefined;
  readonly signer: string;
  /** Identifies the text as it is now. */
  readonly textId: string;
  readonly removeSignature: () => void;
}

/**
 * Uploads a signature, if there is one. Returns its part of the request body, or undefined after showing why there is
 * none: the upload failed or the text changed after it was signed.
 */
export async function sendSignature({
  now,
  setWrong,
  signed,
  signer,
  textId,
  removeSignature,
}: Signing): Promise<SignatureBody | undefined> {
  const isOutdated = isSignatureOutdated(signed, textId);
  // The next press goes on without a signature.
  if (isOutdated) removeSignature();
  const signature = isOutdated ? undefined : await buildSignatureBody(now.id, signer, signed?.png, signed?.contract);
  if (!signature) setWrong({ fields: {}, notice: g(isOutdated ? "signAgain" : "signatureNotSent") });
  return signature;
}

interface ReadAndSignProps {
  /** Identifies the text by what it is made of. */
  readonly id: string;
  /** Address of the text, with the hand-over as typed. */
  readonly path: string;
  /** The return as typed. */
  readonly body?: Typed<ReturnRecordRequest>;
  readonly title: string;
  /** The driver, who signs. */
  readonly name: string;
  readonly isSigned: boolean;
  readonly onSign: (signed: SignedText | undefined) => void;
}

/** Text of a hand-over or return above the pad on which the customer signs it. */
export function ReadAndSign({ id, path, body, title, name, isSigned, onSign }: ReadAndSignProps) {
  const [isReading, setReading] = useState(true);
  const [shown, setShown] = useState<{ readonly id: string; readonly contract: ReadContract }>();
  return (
    <>
      <details
        class="wide contract-text"
        open={isReading}
        onToggle={({ currentTarget }) => setReading(currentTarget.open)}
      >
        <summary>{title}</summary>
        {isReading && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with the keyboard, too.
          <section aria-label={title} tabIndex={0}>
            <ContractText key={id} path={path} body={body} onRead={(contract) => setShown({ id, contract })} />
          </section>
        )}
      </details>
      {/* Another text needs an empty pad. */}
      <Signature
        key={id}
        name={name}
        isSigned={isSigned}
        onChange={(png) => onSign(png && { png, id, contract: shown?.id === id ? shown.contract : undefined })}
      />
    </>
  );
}
