import { useEffect, useRef, useState } from "preact/hooks";
import { hasEnoughInk } from "#shared/signature-ink.ts";
import { openSignaturePad, type SignaturePadHandle } from "#shared/signature-pad.ts";
import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { trackCapture } from "../../state/pending-writes.ts";
import { type SignedContract, saveDrawnSignature } from "../../state/save-captures.ts";
import { changeOpenWork } from "../../state/work.ts";
import { Icon } from "../../ui/icon.tsx";
import { SIGNATURE_ERROR_TEXTS } from "./photo-input.tsx";

export interface SignatureInputProps {
  readonly draft: WorkDraft;
  readonly name: string;
  readonly contract: SignedContract;
}

/** Signature pad for the customer. Each stroke is saved when finished. */
export default function SignatureInput({ draft, name, contract }: SignatureInputProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePadHandle | undefined>(undefined);
  const latest = useRef({ name, contract });
  latest.current = { name, contract };
  const [trouble, setTrouble] = useState("");
  const [isWhole, setIsWhole] = useState(false);
  useEffect(() => {
    if (!canvas.current) return;
    const opened = openSignaturePad(canvas.current, draft.strokes, () => void trackCapture(keep(opened)));
    pad.current = opened;
    return opened.close;
  }, []);
  const keep = async (opened: SignaturePadHandle) => {
    if (!hasEnoughInk(opened.strokes())) return setTrouble(t("moreInk"));
    const png = await opened.png();
    if (!png) return;
    const { name: signer, contract: signed } = latest.current;
    const outcome = await saveDrawnSignature(png, signer, signed, opened.strokes(), draft.key);
    const error = SIGNATURE_ERROR_TEXTS[outcome];
    setTrouble(error ? t(error) : "");
  };
  const clear = () => {
    pad.current?.clear();
    setTrouble("");
    void changeOpenWork({ signature: null, strokes: null });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the Escape key closes it, as its button does
    <div
      class={isWhole ? "signature-sheet whole" : "signature-sheet"}
      onKeyDown={({ key }) => key === "Escape" && setIsWhole(false)}
    >
      <canvas ref={canvas} aria-label={t("signHere", { name })} role="img" />
      <span class="line-hint" aria-hidden="true">
        <Icon name="sign" size={20} /> {t("signHere", { name })}
      </span>
      <div class="row">
        <span role="status" class="soft">
          {trouble || (draft.signature ? t("signed") : t("notSigned"))}
        </span>
        <button type="button" class="small" onClick={clear}>
          {t("clear")}
        </button>
        <button type="button" class="small" aria-pressed={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {t(isWhole ? "signDone" : "signWhole")}
        </button>
      </div>
    </div>
  );
}
