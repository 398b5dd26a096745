import { useEffect, useState } from "preact/hooks";
import { may } from "../account.ts";
import { ask, office } from "../api.ts";
import { Trouble } from "../desk/trouble.tsx";
import { linkTo } from "../route.ts";
import { t, tOr } from "../texts.ts";
import { type Item, Waiting } from "./today/attention.tsx";
import { Goings } from "./today/goings.tsx";

interface Obstacle {
  readonly code: string;
  readonly why: string;
  readonly page: string;
}

const PAGES: Readonly<Record<string, string>> = { prices: linkTo("prices-table"), vehicles: linkTo("fleet") };

/** The day: what waits for a person, what leaves and returns, and what keeps the account from working. */
export default function Today() {
  const [items, setItems] = useState<readonly Item[]>();
  const [obstacles, setObstacles] = useState<readonly Obstacle[]>();
  const [hasFailed, setFailed] = useState(false);
  const read = () => {
    setFailed(false);
    Promise.all([
      ask("GET", office("/attention")),
      // Who may not change settings is not told what is missing in them.
      may("administer") ? ask("POST", office("/settings/dry-run")) : undefined,
    ]).then(
      ([waiting, missing]) => {
        setItems((waiting.body["data"] ?? []) as readonly Item[]);
        setObstacles(missing?.status === 200 ? (missing.body["data"] as readonly Obstacle[]) : undefined);
      },
      () => setFailed(true),
    );
  };
  useEffect(read, []);
  return (
    <main>
      <h1>{t("today")}</h1>
      <Trouble problem={hasFailed ? t("failed") : ""} onRetry={read} />
      {!items && !hasFailed && <p>{t("loading")}…</p>}
      {items && <Waiting items={items} onChange={read} />}
      <Goings />
      {obstacles && (
        <section aria-labelledby="missing">
          <h2 id="missing">{t("missing")}</h2>
          {obstacles.length === 0 && <p class="calm">{t("nothingMissing")}</p>}
          <ul class="cards">
            {obstacles.map(({ code, why, page }) => (
              <li key={why}>
                <strong>{tOr(`obstacle.${code}`, why)}</strong>
                {code === "no_price" && <span>{why.split(" ")[0]}</span>}
                <a class="button" href={PAGES[page] ?? linkTo("list", page)}>
                  {t("mend")}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  );
}
