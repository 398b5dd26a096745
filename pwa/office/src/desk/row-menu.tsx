import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { t } from "../texts.ts";

interface RowMenuProps {
  /** Name of the row for screen readers. */
  readonly name: string;
  readonly children: ComponentChildren;
}

/** Menu of a row's rare actions. */
export function RowMenu({ name, children }: RowMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current) menu.current.open = false;
  };
  return (
    <details
      class="row-menu"
      ref={menu}
      onKeyDown={({ key }) => {
        if (key === "Escape") close();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget && !menu.current?.contains(relatedTarget as Node)) close();
      }}
    >
      <summary class="button small">
        <span aria-hidden="true">⋯</span>
        <span class="unseen">{t("moreActions", { name })}</span>
      </summary>
      <div>{children}</div>
    </details>
  );
}
