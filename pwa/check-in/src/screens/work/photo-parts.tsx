import { type TextKey, t } from "../../i18n/texts.ts";
import type { Draft } from "../../offline/items.ts";
import type { Capture } from "../../state/captures.ts";
import { Icon } from "../../ui/icon.tsx";

export type View = Draft["photos"][number]["view"];

export const CAPTURE_TEXTS: Readonly<Record<Exclude<Capture, "kept">, TextKey>> = {
  no_room: "photoNoRoom",
  unreadable: "photoUnreadable",
  too_large: "photoTooLarge",
  too_many: "photoTooMany",
  missing: "photoMissing",
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

/** File input that opens the system's camera, available on every platform. */
export function PhotoInput({ onFiles }: { readonly onFiles: (files: FileList | null) => void }) {
  return (
    <input
      class="hidden"
      type="file"
      accept="image/*"
      capture="environment"
      onChange={({ currentTarget }) => {
        onFiles(currentTarget.files);
        currentTarget.value = "";
      }}
    />
  );
}
