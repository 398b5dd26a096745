import type { ComponentType } from "preact";
import { knowsAuthorities } from "../account.ts";
import { linkTo } from "../route.ts";
import { type TextKey, t } from "../texts.ts";
import { Codes } from "./communications/codes.tsx";
import { Communicated } from "./communications/communicated.tsx";
import { Retention } from "./communications/retention.tsx";
import { Service } from "./communications/service.tsx";

const VIEWS = {
  communicated: Communicated,
  codes: Codes,
  service: Service,
  retention: Retention,
} as const satisfies Readonly<Partial<Record<TextKey, ComponentType>>>;
type View = keyof typeof VIEWS;
const NAMES = Object.keys(VIEWS) as View[];

/**
 * What authorities are told of rentals, how words are told, whether it works, and how long data is kept: that alone
 * where no authority is told anything.
 */
export default function Communications({ path }: { readonly path: readonly string[] }) {
  const isTold = knowsAuthorities();
  const asked = NAMES.find((one) => one === path[0]) ?? "communicated";
  const name = isTold ? asked : "retention";
  const Shown = VIEWS[name];
  const title = t(isTold ? "authorities" : "retention");
  return (
    <main>
      <h1>{title}</h1>
      {isTold && (
        <nav class="chips tabs" aria-label={title}>
          {NAMES.map((one) => (
            <a
              key={one}
              class="button"
              href={linkTo("communications", one)}
              aria-current={one === name ? "page" : undefined}
            >
              {t(one)}
            </a>
          ))}
        </nav>
      )}
      <Shown key={name} />
    </main>
  );
}
