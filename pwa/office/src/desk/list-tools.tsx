import type { ComponentChildren } from "preact";
import { RowMenu } from "./row-menu.tsx";
import { DESKTOP_SCREEN, useMediaQuery } from "./use-media-query.ts";

interface ListToolsProps {
  /** Name of the list for screen readers. */
  readonly name: string;
  readonly children: ComponentChildren;
}

/** Tools of a list, such as downloads. A menu on small screens. */
export function ListTools({ name, children }: ListToolsProps) {
  const isWide = useMediaQuery(DESKTOP_SCREEN);
  return isWide ? children : <RowMenu name={name}>{children}</RowMenu>;
}
