import { t } from "../texts.ts";
import { BesideTable } from "./beside-table.tsx";
import { type AskedField, labelOf, type Said, wordsFor } from "./fields.ts";

interface BesideProps {
  readonly seen: Said;
  readonly now: Said;
  readonly fields: readonly AskedField[];
}

/** What somebody else changed meanwhile, beside what one saw. */
export function Beside({ seen, now, fields }: BesideProps) {
  const said = (one: AskedField) => ({
    name: one.name,
    label: labelOf(one),
    seen: wordsFor(one, seen[one.name]),
    now: wordsFor(one, now[one.name]),
  });
  const differences = fields.map(said).filter((one) => one.seen !== one.now);
  return <BesideTable lead={t("changedMeanwhile")} differences={differences} otherwise={t("changedOtherwise")} />;
}
