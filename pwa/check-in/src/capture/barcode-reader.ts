import address from "zxing-wasm/reader/zxing_reader.wasm?url";

/** Returns the content of the first QR code or barcode in a picture, or undefined if there's none. */
export type BarcodeReader = (picture: Blob | HTMLVideoElement) => Promise<string | undefined>;

/** The reader isn't on this device, and there's no network to download it. */
export class BarcodeReaderMissingError extends Error {}

interface Detector {
  detect(picture: ImageBitmap | HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}

interface DetectorClass {
  new (options: { readonly formats: readonly Format[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
}

type Format = (typeof FORMATS)[number];
/** Formats used on key rings and windscreens. */
const FORMATS = ["qr_code", "data_matrix", "code_128", "code_39", "ean_13"] as const;
/** Larger pictures don't improve recognition and take long to scan. */
const MAX_SIDE_PX = 2000;

/** Opens the system's code reader, or the app's own, which is loaded on first use. */
export async function openBarcodeReader(): Promise<BarcodeReader> {
  const detector = (await systemDetector()) ?? (await ownDetector());
  return async (picture) => {
    const source = picture instanceof Blob ? await decoded(picture) : picture;
    const detectedCodes = source ? await detector.detect(source).catch(() => []) : [];
    return detectedCodes.find(({ rawValue }) => rawValue.trim() !== "")?.rawValue;
  };
}

async function systemDetector(): Promise<Detector | undefined> {
  const { BarcodeDetector } = globalThis as { readonly BarcodeDetector?: DetectorClass };
  const known = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? [];
  const formats = FORMATS.filter((format) => known.includes(format));
  return BarcodeDetector && formats.includes("qr_code") ? new BarcodeDetector({ formats }) : undefined;
}

async function ownDetector(): Promise<Detector> {
  try {
    const { BarcodeDetector, prepareZXingModule, purgeZXingModule } = await import("barcode-detector/ponyfill");
    try {
      await prepareZXingModule({ overrides: { locateFile: () => address }, fireImmediately: true });
    } catch (error) {
      // Forget the failed download, so that the next call tries again.
      purgeZXingModule();
      throw error;
    }
    return new BarcodeDetector({ formats: [...FORMATS] });
  } catch {
    throw new BarcodeReaderMissingError();
  }
}

async function decoded(photo: Blob): Promise<ImageBitmap | undefined> {
  try {
    const full = await createImageBitmap(photo);
    const scale = Math.min(1, MAX_SIDE_PX / Math.max(full.width, full.height));
    if (scale === 1) return full;
    const size = { resizeWidth: Math.round(full.width * scale), resizeHeight: Math.round(full.height * scale) };
    const small = await createImageBitmap(full, size);
    full.close();
    return small;
  } catch {
    return undefined;
  }
}
