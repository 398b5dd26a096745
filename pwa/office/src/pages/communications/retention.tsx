import { useEffect, useState } from "preact/hooks";
import { momentText } from "../../account.ts";
import { ask, office } from "../../api.ts";
import { refusedBy } from "../../desk/refusals.ts";
import { type Column, Rows } from "../../desk/rows.tsx";
import { Trouble } from "../../desk/trouble.tsx";
import { t, tOr } from "../../texts.ts";

interface Period {
  readonly kind: string;
  readonly days: number | null;
  readonly last_deleted_at: string | null;
  readonly deleted: number;
}

interface Kept {
  readonly data: readonly Period[];
  readonly erased_people: number;
}

const YEAR = 365;

function daysText(days: number | null): string {
  if (days === null) return t("hasExpired");
  return days % YEAR === 0 ? t("years.kept", { n: days / YEAR }) : t("days.kept", { n: days });
}

const columns = (): readonly Column<Period>[] => [
  { head: t("kindOfData"), cell: ({ kind }) => tOr(`kept.${kind}`, kind) },
  { head: t("keptFor"), cell: ({ days }) => daysText(days) },
  { head: t("lastDeleted"), cell: ({ last_deleted_at: at }) => (at ? momentText(at) : t("nothing")), is: "date" },
  { head: t("deletedInAll"), cell: ({ deleted }) => (deleted === 0 ? t("nothing") : deleted), is: "number" },
];

/** How long each kind of data is kept, and that it was deleted. */
export function Retention() {
  const [kept, setKept] = useState<Kept>();
  const [problem, setProblem] = useState("");
  const read = () =>
    ask("GET", office("/retention")).then(
      (answer) => {
        setProblem(answer.status === 200 ? "" : refusedBy(answer).notice);
        if (answer.status === 200) setKept(answer.body as unknown as Kept);
      },
      () => setProblem(t("failed")),
    );
  useEffect(() => {
    void read();
  }, []);
  return (
    <>
      <p class="soft">{t("aboutRetention")}</p>
      <Trouble problem={problem} onRetry={read} />
      {!kept && !problem && <p>{t("loading")}…</p>}
      {kept && <Rows name={t("retention")} rows={kept.data} columns={columns()} keyOf={({ kind }) => kind} />}
      {kept && <p class="soft">{t("erasedPeople", { n: kept.erased_people })}</p>}
    </>
  );
}
