import type { PhotoView } from "./photo-input.tsx";

// Car outlines in a 400 × 300 box, so that each side is always photographed the same way.
const SIDE =
  "M30 190q2-38 42-44l46-8 46-44q8-8 22-8h84q14 0 24 10l36 40 34 8q16 4 18 22l2 24H340M250 190H150M60 190H30M60 190a45 45 0 0 1 90 0M250 190a45 45 0 0 1 90 0M172 138l36-34h34v34zM254 104h16l28 34h-44z";
const FACE =
  "M90 220v-66q0-14 14-20l22-10 22-46q6-12 20-12h64q14 0 20 12l22 46 22 10q14 6 14 20v66zM142 122l16-38h84l16 38zM104 170h44M252 170h44M160 196h80M90 220v26h40v-26M270 220v26h40v-26";
const CORNER =
  "M28 196v-32q0-14 16-20l34-12 46-44q8-8 22-8h110q14 0 24 10l32 36 44 12q16 4 16 20v38H340M268 196H142M62 196H28M62 196a40 40 0 0 1 80 0M268 196a36 36 0 0 1 72 0M132 128l36-34h44v34zM224 94h40l28 34h-68zM34 168h34";

const OUTLINES: Readonly<Partial<Record<PhotoView, readonly [path: string, isMirrored: boolean]>>> = {
  front: [FACE, false],
  rear: [FACE, false],
  left: [SIDE, false],
  right: [SIDE, true],
  front_left: [CORNER, false],
  rear_left: [CORNER, true],
  front_right: [CORNER, true],
  rear_right: [CORNER, false],
};

/** Outline that shows where to place the vehicle in the picture. */
export function AlignmentOverlay({ view }: { readonly view: PhotoView }) {
  const outline = OUTLINES[view];
  if (!outline) return null;
  const [path, isMirrored] = outline;
  return (
    <svg class={isMirrored ? "ghost mirrored" : "ghost"} viewBox="0 0 400 300" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}
