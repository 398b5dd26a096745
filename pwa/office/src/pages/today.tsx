import { useEffect, useState } from "preact/hooks";
import type { AttentionMessage } from "#worker/api/office/attention-messages.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../api.ts";
import { LoadErrorMessage } from "../desk/load-error.tsx";
import { Skeleton } from "../desk/skeleton.tsx";
import { linkTo, linkToWithQuery } from "../route.ts";
import { canBookWithoutOnlinePayment, readSetup, type SetupObstacle, setupState } from "../setup-state.ts";
import { t, tOr } from "../texts.ts";
import { filterTasksByBranch, type Item, PendingTasks } from "./today/attention.tsx";
import { TodayMovements } from "./today/today-movements.tsx";

const PAGES: Readonly<Record<string, string>> = { prices: linkTo("prices-table"), vehicles: linkTo("fleet") };

/** Overview of the day: pending tasks, pickups and returns, and setup problems. */
export default function TodayPage() {
  const [items, setItems] = useState<readonly Item[]>();
  const [obstacles, setObstacles] = useState<readonly SetupObstacle[]>();
  const [hasFailed, setFailed] = useState(false);
  const read = () => {
    setFailed(false);
    Promise.all([
      sendOfficeRequest<AttentionMessage>("GET", toOfficePath("/attention")),
      // Users who may not change settings don't see setup problems.
      readSetup(),
    ]).then(
      ([waiting, missing]) => {
        const content = getSuccessfulContent(waiting);
        if (content) setItems(content.data);
        setFailed(!content);
        setObstacles(missing?.obstacles);
      },
      () => setFailed(true),
    );
  };
  useEffect(read, []);
  return (
    <main>
      <div class="head">
        <h1>{t("today")}</h1>
        <a class="button small" href={linkToWithQuery({ mine: "true", open: "true" }, "tasks")}>
          {t("allTasks")}
        </a>
      </div>
      {setupState.value && !canBookWithoutOnlinePayment(setupState.value) && (
        <section class="panel">
          <p class="strong">{t("notSetUp")}</p>
          <p>{t("setupLead")}</p>
          <a class="button main begin" href={linkTo("start")}>
            {t("firstSteps")}
          </a>
        </section>
      )}
      <LoadErrorMessage problem={hasFailed ? t("notLoaded") : ""} onRetry={read} />
      <div class="day">
        <div class="column">
          <TodayMovements />
        </div>
        <div class="column">
          {!items && !hasFailed && <Skeleton />}
          {items && <PendingTasks items={filterTasksByBranch(items)} onChange={read} />}
        </div>
      </div>
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
