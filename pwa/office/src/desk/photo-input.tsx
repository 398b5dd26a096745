import { useState } from "preact/hooks";
import type { PhotoMessage, PhotoRequest } from "#worker/api/office/resources/photo-messages.ts";
import { hasUserRight } from "../account.ts";
import { sendOfficeRequest, toOfficePath } from "../api.ts";
import { t } from "../texts.ts";
import { FileUpload } from "./file-upload.tsx";

/** Fields that contain the address of a photo. */
const PHOTO_FIELDS: ReadonlySet<string> = new Set(["photo_path", "full_photo_path", "photo_full_path"]);

/** Whether a field contains the address of a photo. */
export const isPhotoField = (name: string): boolean => PHOTO_FIELDS.has(name);

interface PhotoUploadProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Preview of a photo's address, and an upload that replaces the address. */
export function PhotoUpload({ label, value, onChange }: PhotoUploadProps) {
  const [broken, setBroken] = useState("");
  return (
    <div class="photo">
      {value && value !== broken && (
        <img src={value} alt={t("photoPreview", { field: label })} height="80" onError={() => setBroken(value)} />
      )}
      {hasUserRight("prices") && (
        <FileUpload
          label={t("uploadPhoto", { field: label })}
          isLabelHidden
          accept="image/png,image/jpeg"
          send={(content) =>
            sendOfficeRequest<PhotoMessage, PhotoRequest>("POST", toOfficePath("/photos"), { body: { content } })
          }
          onDone={({ photo }) => photo && onChange(photo.path)}
        />
      )}
    </div>
  );
}
