import type { ComponentChildren } from "preact";
import { Icon } from "../icons.tsx";
import { t } from "../texts.ts";
import { useDropdownMenu } from "./use-menu.ts";

interface RowMenuProps {
  /** Name of the row for screen readers. */
  readonly name: string;
  readonly children: ComponentChildren;
}

/** Menu of a row's rare actions. */
export function RowMenu({ name, children }: RowMenuProps) {
  const { menu } = useDropdownMenu();
  return (
    <details class="row-menu" {...menu}>
      <summary class="button small quiet">
        <Icon name="more" />
        <span class="unseen">{t("moreActions", { name })}</span>
      </summary>
      <div>{children}</div>
    </details>
  );
}
