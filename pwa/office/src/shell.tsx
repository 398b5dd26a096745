import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import { signOut } from "./api.ts";
import type { TextKey } from "./i18n/en.ts";
import { linkTo, route } from "./route.ts";
import { t } from "./texts.ts";

// Names alone: what they are is loaded when a list is opened.
const GROUPS: readonly (readonly [TextKey, readonly ResourceName[]])[] = [
  ["groupPrices", ["categories", "seasons", "prices", "extras", "offers", "promotion-codes"]],
  [
    "groupCompany",
    [
      "branches",
      "opening-hours",
      "closed-dates",
      "places",
      "branch-groups",
      "families",
      "sales-channels",
      "agencies",
      "agents",
    ],
  ],
  ["groupRules", ["selling-rules", "driver-age-rules", "cancellation-terms", "one-way-fees", "repatriations"]],
  [
    "groupTransfers",
    ["transfer-points", "transfer-zones", "transfer-vehicles", "transfer-prices", "transfer-extras", "supplements"],
  ],
  ["groupAccess", ["users", "partner-keys", "engine-keys", "gateways"]],
  ["groupSettings", ["settings"]],
];

type Page = ComponentType<{ readonly path: readonly string[] }>;

const PAGES: Readonly<Record<string, () => Promise<{ readonly default: Page }>>> = {
  today: () => import("./pages/today.tsx"),
  "prices-table": () => import("./pages/price-table.tsx"),
  list: () => import("./pages/resource.tsx"),
  security: () => import("./pages/security.tsx"),
};

/** The frame of the office: where one can go, and the page that is open, loaded when it is. */
export function Shell({ account, person }: { readonly account: string; readonly person: string }) {
  const [first = "today", ...path] = route.value;
  const name = first === "" ? "today" : first;
  const menu = useRef<HTMLDetailsElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => listenToKeys(() => help.current?.showModal()), []);
  useEffect(() => {
    if (menu.current && innerWidth < 900) menu.current.open = false;
  }, [route.value]);
  return (
    <>
      <header class="top">
        <div>
          <p class="account">{account}</p>
          <p class="brand">{t("title")}</p>
        </div>
        <div class="actions">
          <span>{person}</span>
          <button type="button" aria-label={t("keys")} onClick={() => help.current?.showModal()}>
            ?
          </button>
          <button type="button" onClick={() => signOut()}>
            {t("signOut")}
          </button>
        </div>
      </header>
      <div class="frame">
        <details class="menu" ref={menu} open={innerWidth >= 900}>
          <summary>{t("menu")}</summary>
          <nav aria-label={t("menu")}>
            <Place to={["today"]} text={t("today")} isOpen={name === "today"} />
            <Place to={["security"]} text={t("security")} isOpen={name === "security"} />
            <Place to={["prices-table"]} text={t("priceTable")} isOpen={name === "prices-table"} />
            {GROUPS.map(([group, names]) => (
              <section key={group}>
                <h2>{t(group)}</h2>
                {names.map((one) => (
                  <Place
                    key={one}
                    to={["list", one]}
                    text={t(`list.${one}`)}
                    isOpen={name === "list" && path[0] === one}
                  />
                ))}
              </section>
            ))}
          </nav>
        </details>
        <OpenPage name={name} path={path} />
      </div>
      <dialog ref={help}>
        <h2>{t("keys")}</h2>
        <p>{t("keysHelp")}</p>
        <form method="dialog">
          <button type="submit">{t("cancel")}</button>
        </form>
      </dialog>
    </>
  );
}

function Place({
  to,
  text,
  isOpen,
}: {
  readonly to: readonly string[];
  readonly text: string;
  readonly isOpen: boolean;
}) {
  return (
    <a href={linkTo(...to)} aria-current={isOpen ? "page" : undefined}>
      {text}
    </a>
  );
}

function OpenPage({ name, path }: { readonly name: string; readonly path: readonly string[] }) {
  const [loaded, setLoaded] = useState<{ readonly name: string; readonly Page: Page }>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    setFailed(false);
    const load = PAGES[name] ?? PAGES["today"];
    load?.().then(
      ({ default: Page }) => setLoaded({ name, Page }),
      () => setFailed(true),
    );
  }, [name]);
  if (hasFailed)
    return (
      <main>
        <p role="alert">{t("failed")}</p>
      </main>
    );
  if (loaded?.name !== name) return <main class="status">{t("loading")}…</main>;
  return <loaded.Page path={path} />;
}

// One letter does something where nobody types.
function listenToKeys(showHelp: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") showHelp();
    const found = { "/": "input[type=search]", n: "a.main" }[event.key];
    const element = found && document.querySelector<HTMLElement>(found);
    if (!element) return;
    event.preventDefault();
    if (event.key === "n") element.click();
    else element.focus();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
