import type { ComponentType } from "preact";
import { linkTo } from "../route.ts";
import { type TextKey, t } from "../texts.ts";
import { Charges } from "./money/charges.tsx";
import { Documents } from "./money/documents.tsx";
import { Refunds } from "./money/refunds.tsx";
import { DayRegister } from "./money/register.tsx";

const VIEWS = {
  documents: Documents,
  charges: Charges,
  register: DayRegister,
  refunds: Refunds,
} as const satisfies Readonly<Partial<Record<TextKey, ComponentType>>>;
type View = keyof typeof VIEWS;
const NAMES = Object.keys(VIEWS) as View[];

/** Papers and money: documents, what was paid, the register of the day, refunds that wait. */
export default function Money({ path }: { readonly path: readonly string[] }) {
  const name = NAMES.find((one) => one === path[0]) ?? "documents";
  const Shown = VIEWS[name];
  return (
    <main>
      <h1>{t("documentsAndMoney")}</h1>
      <nav class="chips tabs" aria-label={t("documentsAndMoney")}>
        {NAMES.map((one) => (
          <a key={one} class="button" href={linkTo("money", one)} aria-current={one === name ? "page" : undefined}>
            {t(one)}
          </a>
        ))}
      </nav>
      <Shown key={name} />
    </main>
  );
}
