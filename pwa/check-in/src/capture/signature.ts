import SignaturePad from "signature_pad";

export interface Pad {
  readonly isEmpty: () => boolean;
  readonly clear: () => void;
  readonly strokes: () => unknown;
  readonly png: () => Promise<Blob | null>;
  readonly close: () => void;
}

/** A pad on a canvas. What was drawn stays when the phone is turned: the strokes are drawn again at the new size. */
export function openPad(canvas: HTMLCanvasElement, strokes: unknown, onEnd: () => void): Pad {
  // The ink is dark in both themes, on paper: the PNG is read by the office.
  const pad = new SignaturePad(canvas, {
    penColor: "#14120d",
    backgroundColor: "#ffffff",
    minWidth: 1.2,
    maxWidth: 3.2,
  });
  const fill = () => {
    const kept = pad.toData();
    const scale = Math.max(1, devicePixelRatio);
    canvas.width = canvas.offsetWidth * scale;
    canvas.height = canvas.offsetHeight * scale;
    canvas.getContext("2d")?.scale(scale, scale);
    pad.clear();
    pad.fromData(kept);
  };
  fill();
  if (Array.isArray(strokes)) pad.fromData(strokes as Parameters<SignaturePad["fromData"]>[0]);
  pad.addEventListener("endStroke", onEnd);
  const watch = new ResizeObserver(fill);
  watch.observe(canvas);
  return {
    isEmpty: () => pad.isEmpty(),
    clear: () => pad.clear(),
    strokes: () => pad.toData(),
    png: () => new Promise((resolve) => canvas.toBlob(resolve, "image/png")),
    close: () => {
      watch.disconnect();
      pad.off();
    },
  };
}
