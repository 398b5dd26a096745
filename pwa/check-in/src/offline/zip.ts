export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A ZIP file without compression: pictures are compressed already. */
export async function zip(entries: readonly ZipEntry[]): Promise<Blob> {
  // Hardly anybody ever needs it, so the app's first load does not have it.
  const { zipSync } = await import("fflate");
  const files = Object.fromEntries(entries.map(({ name, bytes }) => [name, bytes]));
  return new Blob([zipSync(files, { level: 0 })], { type: "application/zip" });
}
