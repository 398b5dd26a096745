import { type TextKey, t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import type { CaptureResult } from "../../state/save-captures.ts";
import { Icon } from "../../ui/icon.tsx";

export type PhotoView = WorkDraft["photos"][number]["view"];

/** Error of each result, none for a stored picture. */
export const CAPTURE_ERROR_TEXTS: Readonly<Record<CaptureResult, TextKey | undefined>> = {
  kept: undefined,
  no_room: "photoNoRoom",
  unreadable: "photoUnreadable",
  too_large: "photoTooLarge",
  too_many: "photoTooMany",
  missing: "photoMissing",
  gone: "photoGone",
  failed: "photoFailed",
};

/** Error of each result for a signature. */
export const SIGNATURE_ERROR_TEXTS: typeof CAPTURE_ERROR_TEXTS = {
  ...CAPTURE_ERROR_TEXTS,
  no_room: "signatureNoRoom",
  gone: "signatureGone",
  failed: "signatureFailed",
};

/** Error of the last photo, shown above the button, where the user looks. */
export function PhotoErrorNotice({ text }: { readonly text: TextKey | undefined }) {
  if (!text) return null;
  return (
    <p class="note" data-tone="refused" role="alert">
      <Icon name="refused" />
      {t(text)}
    </p>
  );
}

interface PhotoInputProps {
  readonly onFiles: (files: FileList | null) => void;
  /** Whether to choose stored photos instead of taking one. */
  readonly isSeveral?: boolean;
}

/** File input that opens the system's camera, or its photos if several are allowed. Works on every platform. */
export function PhotoInput({ onFiles, isSeveral = false }: PhotoInputProps) {
  return (
    <input
      class="hidden"
      type="file"
      accept="image/*"
      {...(isSeveral ? { multiple: true } : { capture: "environment" })}
      onChange={({ currentTarget }) => {
        onFiles(currentTarget.files);
        currentTarget.value = "";
      }}
    />
  );
}
