import { useState } from "preact/hooks";
import type { PhotoMessage } from "#worker/api/office/resources/photo-messages.ts";
import { may } from "../account.ts";
import { type Answer, ask, office } from "../api.ts";
import { t } from "../texts.ts";
import { readBase64 } from "./read-base64.ts";
import { refusedBy } from "./refusals.ts";

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
  const [wrong, setWrong] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [broken, setBroken] = useState("");
  const upload = async (file: File) => {
    setBusy(true);
    setWrong("");
    const answer = await readBase64(file)
      .then((content) => ask<PhotoMessage>("POST", office("/photos"), { body: { content } }))
      .catch(() => undefined);
    setBusy(false);
    const path = answer?.body.photo?.path;
    if (path) onChange(path);
    else setWrong(getErrorText(answer));
  };
  return (
    <div class="photo">
      {value && value !== broken && (
        <img src={value} alt={t("photoPreview", { field: label })} height="80" onError={() => setBroken(value)} />
      )}
      {may("prices") && (
        <input
          type="file"
          aria-label={t("uploadPhoto", { field: label })}
          accept="image/png,image/jpeg"
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) void upload(file);
            currentTarget.value = "";
          }}
        />
      )}
      {wrong && (
        <p role="alert" class="problem">
          {wrong}
        </p>
      )}
    </div>
  );
}

function getErrorText(answer: Answer | undefined): string {
  if (!answer) return t("notSent");
  const { fields, notice } = refusedBy(answer);
  return [notice, ...Object.values(fields)].join(" ");
}
