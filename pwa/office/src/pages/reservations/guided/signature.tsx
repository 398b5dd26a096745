import { useEffect, useRef, useState } from "preact/hooks";
import { hasEnoughInk } from "#shared/signature-ink.ts";
import { openSignaturePad, type SignaturePadHandle } from "#shared/signature-pad.ts";
import { translateGuided as g } from "./texts.ts";

interface SignatureProps {
  readonly name: string;
  /** Whether a signature is on the pad. */
  readonly isSigned: boolean;
  /** Called with the image of each finished signature, and without one after it was cleared. */
  readonly onChange: (png: Blob | undefined) => void;
}

/** Pad on which the customer signs by finger, pen or mouse. */
export function Signature({ name, isSigned, onChange }: SignatureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePadHandle | undefined>(undefined);
  const latest = useRef(onChange);
  latest.current = onChange;
  const [isShort, setShort] = useState(false);
  useEffect(() => {
    if (!canvas.current) return;
    const opened = openSignaturePad(canvas.current, undefined, () => {
      const isEnough = hasEnoughInk(opened.strokes());
      setShort(!isEnough);
      if (isEnough) void opened.png().then((png) => latest.current(png ?? undefined));
      else latest.current(undefined);
    });
    pad.current = opened;
    return opened.close;
  }, []);
  const clear = () => {
    pad.current?.clear();
    setShort(false);
    onChange(undefined);
  };
  return (
    <div class="wide signature">
      <canvas ref={canvas} role="img" aria-label={g("signHere", { name })} />
      <div class="buttons">
        <span role="status" class="soft">
          {isShort ? g("moreInk") : isSigned ? g("signed") : g("signHere", { name })}
        </span>
        <button type="button" class="small" onClick={clear}>
          {g("clearSignature")}
        </button>
      </div>
    </div>
  );
}
