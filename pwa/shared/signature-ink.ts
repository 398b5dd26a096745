interface Point {
  readonly x: number;
  readonly y: number;
}

interface Stroke {
  readonly points: readonly Point[];
}

/** Minimum size of a signature, in pixels of the pad. Anything smaller is a dot or a slip of the finger. */
const LEAST_LENGTH = 80;
const LEAST_WIDTH = 24;

/** Whether the pad's strokes are enough for a signature. */
export function hasEnoughInk(strokes: unknown): boolean {
  const padStrokes = (Array.isArray(strokes) ? strokes : []) as readonly Stroke[];
  const points = padStrokes.flatMap((stroke) => stroke.points);
  const across = points.map(({ x }) => x);
  const width = points.length === 0 ? 0 : Math.max(...across) - Math.min(...across);
  return (
    width >= LEAST_WIDTH && padStrokes.reduce((total, stroke) => total + getStrokeLength(stroke), 0) >= LEAST_LENGTH
  );
}

const getStrokeLength = ({ points }: Stroke): number =>
  points.reduce((total, { x, y }, index) => {
    const before = points[index - 1];
    return before ? total + Math.hypot(x - before.x, y - before.y) : total;
  }, 0);
