import type { ComponentChildren } from "preact";
import { RowMenu } from "./row-menu.tsx";
import { useMediaQuery } from "./use-media-query.ts";

interface ListToolsProps {
  /** Name of the list for screen readers. */
  readonly name: string;
  readonly children: ComponentChildren;
}

/** Tools of a list, such as downloads. A menu on a phone. */
export function ListTools({ name, children }: ListToolsProps) {
  const isWide = useMediaQuery("(min-width: 700px)");
  return isWide ? children : <RowMenu name={name}>{children}</RowMenu>;
}
