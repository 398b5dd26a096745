import { useState } from "preact/hooks";
import type { Typed } from "#shared/typed-requests.ts";
import type { ReturnRecordRequest } from "#worker/api/office/hand-over-messages.ts";
import { createLazyPart } from "../../../desk/lazy-page.tsx";
import type { ShownContractText, SignatureWithText } from "./send-signature.ts";
import { Signature } from "./signature.tsx";

const ContractText = createLazyPart(() => import("./contract-text.tsx"));

interface ReadAndSignProps {
  /** Identifies the text by the data that it contains, so that a change makes the signature outdated. */
  readonly id: string;
  /** Address of the text, with the hand-over as typed. */
  readonly path: string;
  /** The return as typed. */
  readonly body?: Typed<ReturnRecordRequest>;
  readonly title: string;
  /** The driver, who signs. */
  readonly name: string;
  readonly isSigned: boolean;
  readonly onSign: (signed: SignatureWithText | undefined) => void;
}

/** Text of a hand-over or return above the pad on which the customer signs it. */
export function ReadAndSign({ id, path, body, title, name, isSigned, onSign }: ReadAndSignProps) {
  const [isReading, setReading] = useState(true);
  const [shown, setShown] = useState<{ readonly id: string; readonly contract: ShownContractText }>();
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
