import { useEffect, useState } from "preact/hooks";
import { knowsAuthorities, momentText } from "../../account.ts";
import { ask, contentOf, office } from "../../api.ts";
import { refusedBy } from "../../desk/refusals.ts";
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

function wordsOf({ days, last_deleted_at: at, deleted }: Period): string {
  const kept = `${t("keptFor")} ${daysText(days)}`;
  return at ? [kept, `${t("lastDeleted")} ${momentText(at)}`, `${t("deletedInAll")} ${deleted}`].join(" · ") : kept;
}

const isKept = ({ kind }: Period) => kind !== "communications" || knowsAuthorities();

/** How long each kind of data is kept, and that it was deleted. */
export function Retention() {
  const [kept, setKept] = useState<Kept>();
  const [problem, setProblem] = useState("");
  const read = () =>
    ask("GET", office("/retention")).then(
      (answer) => {
        const content = contentOf<Kept>(answer);
        if (content) setKept(content);
        setProblem(content ? "" : refusedBy(answer).notice);
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
      {kept && (
        <section class="panel" aria-labelledby="retention">
          <h2 id="retention">{t("retention")}</h2>
          <ul class="plain">
            {kept.data.filter(isKept).map((one) => (
              <li key={one.kind} class="stacked">
                <span>
                  <span class="strong">{tOr(`kept.${one.kind}`, one.kind)}</span>
                  <small>{wordsOf(one)}</small>
                </span>
              </li>
            ))}
          </ul>
          <p class="soft">{t("erasedPeople", { n: kept.erased_people })}</p>
        </section>
      )}
    </>
  );
}
