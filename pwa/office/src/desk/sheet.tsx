import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { goToContent } from "../follow-title.ts";
import { t } from "../texts.ts";
import { OptionsLoadError } from "./choices.tsx";

interface SheetProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** What is done beside a page: keys stay within it, Escape leaves it, and the focus goes back to where it was. */
export function Sheet({ title, children, onClose }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const opened = dialog.current;
    opened?.showModal();
    // Where one types first, else what one presses: not the cross that leaves.
    opened?.querySelector<HTMLElement>("input, select, textarea, .main, .foot button")?.focus();
    return () => {
      opened?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      // What was done has taken the button away that began it.
      setTimeout(() => {
        if (document.activeElement === document.body) goToContent({ preventScroll: true });
      });
    };
  }, []);
  return (
    <dialog
      class="sheet"
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="close" aria-label={t("close")} onClick={onClose}>
          ×
        </button>
      </header>
      <OptionsLoadError />
      {children}
    </dialog>
  );
}
