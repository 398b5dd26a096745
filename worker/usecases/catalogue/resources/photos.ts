import { createProblem } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  getPhotoPath,
  newPhotoStatement,
  type PhotoRow,
  photoCountQuery,
  photoQuery,
} from "#worker/store/catalogue/photos.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { createOfficeWriter } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { hashBytesSha256 } from "#worker/usecases/shared/hash-bytes.ts";
import { putUpload } from "#worker/usecases/shared/put-upload.ts";
import { rebuildPrintableImage } from "#worker/usecases/shared/rebuild-image.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";

const MAX_PHOTO_KB = 2000;
export const MAX_CATALOGUE_PHOTOS = 2000;

export type CataloguePhotoRefusal = ResourceRefusal | { readonly kind: "tooManyPhotos" };

const ENDINGS: Readonly<Record<PhotoRow["contentType"], string>> = { "image/jpeg": "jpg", "image/png": "png" };

/** Returns the public path of a photo. */
export function toCataloguePhotoUrlPath({ hash, contentType }: Pick<PhotoRow, "hash" | "contentType">): string {
  return `/photos/${hash}.${ENDINGS[contentType]}`;
}

const writePhoto = createOfficeWriter<CataloguePhotoRefusal>();

/**
 * Stores a photo for categories and extras, rebuilt from the parts that show it, under the hash of its bytes. The same
 * photo has one address. The object is written first, so that no address leads to a missing one.
 */
export async function addCataloguePhoto(
  write: OfficeWrite,
  content: Uint8Array<ArrayBuffer>,
): Promise<Result<StaffAnswer<PhotoRow>, CataloguePhotoRefusal>> {
  const { db, files } = write.tenant;
  let putAgain: (() => Promise<void>) | undefined;
  const written = await writePhoto(write, {
    right: "prices",
    content: { photo: await hashBytesSha256(content) },
    read: () => [photoCountQuery(db)] as const,
    decide: async ({ rows: [[counted]], actor, at }) => {
      if ((counted?.photos ?? 0) >= MAX_CATALOGUE_PHOTOS) return err({ kind: "tooManyPhotos" });
      const image = content.byteLength > MAX_PHOTO_KB * 1000 ? undefined : await rebuildPrintableImage(content);
      if (!image) return err({ kind: "problems", problems: [createProblem("content", "picture", MAX_PHOTO_KB)] });
      const { contentType, content: bytes } = image;
      const hash = await hashBytesSha256(bytes);
      putAgain = await putUpload(files, getPhotoPath(hash), bytes, { sha256: hash, contentType });
      const row = { hash, contentType, sizeBytes: bytes.byteLength, createdBy: actor, createdAt: at };
      return ok({ resource: hash, statements: [newPhotoStatement(db, row)] });
    },
    readBack: (hash) => [photoQuery(db, hash)] as const,
    answer: ([[photo]]) => (photo ? ok(photo) : err({ kind: "resourceNotFound" })),
  });
  if (written.ok) await putAgain?.();
  return written;
}

/** Opens a photo of the company for everyone. Its name is the hash of its bytes. */
export function openCataloguePhoto({ files }: Tenant, hash: string): Promise<ReadableStream | undefined> {
  return files.get(getPhotoPath(hash));
}
