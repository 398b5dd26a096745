import type { Photo } from "#domain/catalogue/catalogue.ts";

const SHAPES: Readonly<Record<string, string>> = {
  CABRIO: "cabrio",
  UNIQ: "cabrio",
  VAN9: "van",
  CARGO: "van",
  HIGH: "van",
  CREW: "van",
};

/** A drawing in the category's colour (`#rrggbb`), which the Worker serves in development. */
export function categoryPhotos(code: string, color: string): Photo[] {
  const name = `/demo-photos/${SHAPES[code] ?? "sedan"}-${color.slice(1).toLowerCase()}`;
  return [{ photoPath: `${name}-medium.svg`, fullPhotoPath: `${name}-full.svg` }];
}

/** The drawing of every extra, which the Worker serves in development. */
export const extraPhoto = {
  photoPath: "/demo-photos/extra-5b7c99-medium.svg",
  photoFullPath: "/demo-photos/extra-5b7c99-full.svg",
};
