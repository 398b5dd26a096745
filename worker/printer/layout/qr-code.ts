import { encode } from "uqr";
import type { PageMark } from "./marks.ts";

/**
 * Draws a QR code of level M (ISO/IEC 18004) as boxes, one per run of dark modules. The caller provides the quiet zone.
 */
export function createQrCodeMarks(
  text: string,
  { x, y, side }: { readonly x: number; readonly y: number; readonly side: number },
): readonly PageMark[] {
  const { data, size } = encode(text, { ecc: "M", boostEcc: false, border: 0 });
  const module = side / size;
  return data.flatMap((row, line) =>
    findDarkRuns(row).map(({ from, length }) => ({
      kind: "box" as const,
      x: x + from * module,
      y: y + line * module,
      // Slightly larger, so that no viewer shows a gap between rows.
      width: length * module + 0.05,
      height: module + 0.05,
      radius: 0,
      fill: "ink" as const,
      stroke: undefined,
    })),
  );
}

function findDarkRuns(row: readonly boolean[]): { readonly from: number; readonly length: number }[] {
  const runs: { from: number; length: number }[] = [];
  row.forEach((isDark, at) => {
    const last = runs.at(-1);
    if (!isDark) return;
    if (last && last.from + last.length === at) last.length += 1;
    else runs.push({ from: at, length: 1 });
  });
  return runs;
}
