import { useEffect, useState } from "preact/hooks";
import { ask, office } from "../api.ts";
import { linkTo } from "../route.ts";
import { t, tOr } from "../texts.ts";

interface Item {
  readonly id: string;
  readonly kind: string;
  readonly at: string;
  readonly why: string;
  readonly reservation_id: number | null;
  readonly rental_location_code: string | null;
  readonly can_be_done: boolean;
}

interface Obstacle {
  readonly code: string;
  readonly why: string;
  readonly page: string;
}

/** What waits for a person, and what keeps the account from working; each with what mends it. */
export default function Today() {
  const [items, setItems] = useState<readonly Item[]>();
  const [obstacles, setObstacles] = useState<readonly Obstacle[]>();
  const [hasFailed, setFailed] = useState(false);
  const read = () => {
    setFailed(false);
    Promise.all([ask("GET", office("/attention")), ask("POST", office("/settings/dry-run"))]).then(
      ([waiting, missing]) => {
        setItems((waiting.body["data"] ?? []) as readonly Item[]);
        // Who may not change settings is not told what is missing in them.
        setObstacles(missing.status === 200 ? (missing.body["data"] as readonly Obstacle[]) : undefined);
      },
      () => setFailed(true),
    );
  };
  useEffect(read, []);
  const finish = (id: string) =>
    ask("POST", office(`/attention/${encodeURIComponent(id)}/done`)).then(read, () => setFailed(true));
  return (
    <main>
      <h1>{t("today")}</h1>
      {hasFailed && (
        <p role="alert">
          {t("failed")}{" "}
          <button type="button" onClick={read}>
            {t("retry")}
          </button>
        </p>
      )}
      {!items && !hasFailed && <p>{t("loading")}…</p>}
      {items && (
        <section aria-labelledby="waiting">
          <h2 id="waiting">{t("waiting")}</h2>
          {items.length === 0 && <p class="calm">{t("nothingWaits")}</p>}
          <ul class="cards">
            {items.map((item) => (
              <li key={item.id} class={item.kind === "overdue" || item.kind === "shortage" ? "urgent" : ""}>
                <strong>{tOr(`kind.${item.kind}`, item.kind)}</strong>
                <span>{[item.rental_location_code, item.at].filter(Boolean).join(" · ")}</span>
                <span lang="en">{item.why}</span>
                {item.reservation_id !== null && <span>{t("reservationNo", { id: item.reservation_id })}</span>}
                {item.can_be_done && (
                  <button type="button" onClick={() => finish(item.id)}>
                    {t("lookedAt")}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {obstacles && (
        <section aria-labelledby="missing">
          <h2 id="missing">{t("missing")}</h2>
          {obstacles.length === 0 && <p class="calm">{t("nothingMissing")}</p>}
          <ul class="cards">
            {obstacles.map(({ code, why, page }) => (
              <li key={why}>
                <strong>{tOr(`obstacle.${code}`, why)}</strong>
                {code === "no_price" && <span>{why.split(" ")[0]}</span>}
                {page !== "vehicles" && (
                  <a class="button" href={page === "prices" ? linkTo("prices-table") : linkTo("list", page)}>
                    {t("mend")}
                  </a>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  );
}
