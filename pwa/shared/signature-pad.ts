import SignaturePad from "signature_pad";

export interface SignaturePadHandle {
  readonly isEmpty: () => boolean;
  readonly clear: () => void;
  readonly strokes: () => unknown;
  readonly png: () => Promise<Blob | null>;
  readonly close: () => void;
}

/** Creates a signature pad on a canvas. Redraws the strokes at the new size when the device rotates. */
export function openSignaturePad(canvas: HTMLCanvasElement, strokes: unknown, onEnd: () => void): SignaturePadHandle {
  // Dark ink on white in both themes, because the office sees the PNG.
  const pad = new SignaturePad(canvas, {
    penColor: "#14120d",
    backgroundColor: "#ffffff",
    minWidth: 1.2,
    maxWidth: 3.2,
  });
  const fill = () => {
    const savedStrokes = pad.toData();
    const scale = Math.max(1, devicePixelRatio);
    canvas.width = canvas.offsetWidth * scale;
    canvas.height = canvas.offsetHeight * scale;
    canvas.getContext("2d")?.scale(scale, scale);
    pad.clear();
    pad.fromData(fitted(savedStrokes, canvas));
  };
  fill();
  if (Array.isArray(strokes)) pad.fromData(fitted(strokes as Strokes, canvas));
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

type Strokes = ReturnType<SignaturePad["toData"]>;

/** Scales strokes down to fit a smaller canvas, so that a full-screen signature isn't cut off. */
function fitted(strokes: Strokes, { offsetWidth, offsetHeight }: HTMLCanvasElement): Strokes {
  const points = strokes.flatMap((stroke) => stroke.points);
  const edge = 4;
  const across = offsetWidth / (Math.max(0, ...points.map(({ x }) => x)) + edge);
  const scale = Math.min(1, across, offsetHeight / (Math.max(0, ...points.map(({ y }) => y)) + edge));
  if (scale === 1 || scale <= 0) return strokes;
  const smaller = (stroke: Strokes[number]) => ({
    ...stroke,
    points: stroke.points.map((point) => ({ ...point, x: point.x * scale, y: point.y * scale })),
  });
  return strokes.map(smaller);
}
