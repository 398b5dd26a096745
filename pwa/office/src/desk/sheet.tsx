import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../icons.tsx";
import { t } from "../texts.ts";
import { focusPageTitle } from "../window-title.ts";
import { ChoicesLoadError } from "./use-choices.tsx";

interface SheetProps {
  readonly title: string;
  /** Whether the panel needs more width than a form. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** Modal side panel: traps the focus, closes on Escape and restores the focus. */
export function Sheet({ title, isWide = false, children, onClose }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    const opened = dialog.current;
    opened?.showModal();
    // Focus the first input or button, but not the close button.
    opened?.querySelector<HTMLElement>("input, select, textarea, .main, .foot button")?.focus();
    return () => {
      opened?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      // The action may have removed the button that opened the panel.
      setTimeout(() => {
        if (document.activeElement === document.body) focusPageTitle({ preventScroll: true });
      });
    };
  }, []);
  return (
    <dialog
      class={isWide ? "sheet wide-sheet" : "sheet"}
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
          <Icon name="close" />
        </button>
      </header>
      <ChoicesLoadError />
      {children}
    </dialog>
  );
}
