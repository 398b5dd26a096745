import type { Photo } from "#domain/catalogue.ts";

const SEDAN =
  "M12 62h10a13 13 0 0 1 26 0h44a13 13 0 0 1 26 0h12c3 0 4-2 4-5 0-10-8-15-20-17l-18-3-19-17H42L24 38l-9 4c-5 2-6 8-6 15 0 3 1 5 3 5z";
const CABRIO =
  "M10 62h12a13 13 0 0 1 26 0h44a13 13 0 0 1 26 0h12c3 0 4-2 4-5 0-9-8-13-20-15l-22-2-12-14-4 2 8 12H28l-14 3c-5 2-6 7-6 14 0 3 0 5 2 5z";
const VAN =
  "M8 62h12a13 13 0 0 1 26 0h50a13 13 0 0 1 26 0h10c3 0 4-2 4-5V46c0-4-3-7-8-8l-18-4-14-20H16c-5 0-8 3-8 8v36c0 3-2 4 0 4z";
const SILHOUETTES: Readonly<Record<string, string>> = {
  CABRIO,
  UNIQ: CABRIO,
  VAN9: VAN,
  CARGO: VAN,
  HIGH: VAN,
  CREW: VAN,
};

/** A drawn silhouette in the category's colour, as a data address: the demo needs no picture files and no server for them. */
export function categoryPhotos(code: string, color: string): Photo[] {
  const shape = SILHOUETTES[code] ?? SEDAN;
  return [{ photoPath: silhouette(shape, color, 360), fullPhotoPath: silhouette(shape, color, 1080) }];
}

function silhouette(shape: string, color: string, width: number): string {
  const wheels = [35, 105].map(
    (x) => `<circle cx="${x}" cy="62" r="10" fill="#333"/><circle cx="${x}" cy="62" r="4" fill="#ddd"/>`,
  );
  const height = (width * 2) / 3;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 144 96" width="${width}" height="${height}"><rect width="144" height="96" fill="#f1f4f7"/><path d="${shape}" fill="${color}"/>${wheels.join("")}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
