/** File of a zip archive. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Creates an uncompressed ZIP file, because pictures are already compressed. */
export async function zip(entries: readonly ZipEntry[]): Promise<Blob> {
  // Rarely needed, so not part of the first load.
  const { zipSync } = await import("fflate");
  const files = Object.fromEntries(entries.map(({ name, bytes }) => [name, bytes]));
  return new Blob([zipSync(files, { level: 0 })], { type: "application/zip" });
}
