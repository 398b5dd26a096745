import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import { knowsAuthorities, may } from "./account.ts";
import { pendingProof, signOut } from "./api.ts";
import { OptionsLoadError } from "./desk/choices.tsx";
import { deferredNotice, showDeferredNotice } from "./desk/sending.ts";
import { followTitle, goToContent } from "./follow-title.ts";
import { go, linkTo, route } from "./route.ts";
import { SetupBar } from "./setup-bar.tsx";
import { hasSingleKeys, keepSingleKeys } from "./single-keys.ts";
import { type TextKey, t, tOr } from "./texts.ts";

type PlaceName =
  | ResourceName
  | "prices-table"
  | "security"
  | "security-log"
  | "refused-calls"
  | "changes"
  | "start"
  | "imports";

// Only names. Resource declarations load when a list is opened.
const GROUPS: readonly (readonly [TextKey, readonly PlaceName[]])[] = [
  ["groupPrices", ["prices-table", "categories", "seasons", "prices", "extras", "offers", "promotion-codes"]],
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
      "expense-accounts",
      "expense-concepts",
    ],
  ],
  ["groupRules", ["selling-rules", "driver-age-rules", "cancellation-terms", "one-way-fees", "repatriations"]],
  [
    "groupTransfers",
    ["transfer-points", "transfer-zones", "transfer-vehicles", "transfer-prices", "transfer-extras", "supplements"],
  ],
  [
    "groupAccess",
    [
      "security",
      "security-log",
      "refused-calls",
      "users",
      "partner-keys",
      "engine-keys",
      "gateways",
      "webhooks",
      "calendars",
    ],
  ],
  ["groupSettings", ["start", "settings", "document-series", "imports", "changes"]],
];

const PAGE_TEXTS: Readonly<Partial<Record<PlaceName, TextKey>>> = {
  "prices-table": "priceTable",
  security: "security",
  "security-log": "securityLog",
  "refused-calls": "refusedCalls",
  changes: "changesPage",
  start: "firstSteps",
  imports: "imports",
};

type Page = ComponentType<{ readonly path: readonly string[] }>;

const PAGES: Readonly<Record<string, () => Promise<{ readonly default: Page }>>> = {
  today: () => import("./pages/today.tsx"),
  reservations: () => import("./pages/reservations.tsx"),
  transfers: () => import("./pages/transfers.tsx"),
  planning: () => import("./pages/planning.tsx"),
  fleet: () => import("./pages/fleet.tsx"),
  customers: () => import("./pages/customers.tsx"),
  money: () => import("./pages/money.tsx"),
  expenses: () => import("./pages/expenses.tsx"),
  communications: () => import("./pages/communications.tsx"),
  "prices-table": () => import("./pages/price-table.tsx"),
  list: () => import("./pages/resource.tsx"),
  security: () => import("./pages/security.tsx"),
  changes: () => import("./pages/changes.tsx"),
  "refused-calls": () => import("./pages/refused-calls.tsx"),
  "security-log": () => import("./pages/security-log.tsx"),
  start: () => import("./pages/start.tsx"),
  imports: () => import("./pages/imports.tsx"),
};

const WIDE = matchMedia("(min-width: 900px)");

/** Frame of the office with menu and current page, loaded on demand. */
export function Shell({ account, person }: { readonly account: string; readonly person: string }) {
  const [first = "today", ...path] = route.value;
  const name = first === "" ? "today" : first;
  const menu = useRef<HTMLDetailsElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => listenToKeys(() => help.current?.showModal()), []);
  useEffect(() => followTitle(t("title")), []);
  useEffect(() => {
    if (menu.current && !WIDE.matches) menu.current.open = false;
  }, [route.value]);
  // Rotating a tablet shows or hides the menu next to the page.
  useEffect(() => {
    const follow = () => {
      if (menu.current) menu.current.open = WIDE.matches;
    };
    WIDE.addEventListener("change", follow);
    return () => WIDE.removeEventListener("change", follow);
  }, []);
  return (
    <>
      <button type="button" class="skip" onClick={() => goToContent()}>
        {t("toContent")}
      </button>
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
      <SetupBar isAway={name !== "start"} />
      <div class="unread">
        <OptionsLoadError />
      </div>
      <DeferredNotice />
      <div class="frame">
        <details class="menu" ref={menu} open={WIDE.matches}>
          <summary>{t("menu")}</summary>
          <nav aria-label={t("menu")}>
            <Place to={["today"]} text={t("today")} isOpen={name === "today"} />
            <Place to={["planning"]} text={t("planning")} isOpen={name === "planning"} />
            <Place
              to={["reservations"]}
              text={t("reservations")}
              isOpen={name === "reservations" || name === "transfers"}
            />
            <Place to={["fleet"]} text={t("fleet")} isOpen={name === "fleet"} />
            <Place to={["customers"]} text={t("customers")} isOpen={name === "customers"} />
            <Place to={["money"]} text={t("documentsAndMoney")} isOpen={name === "money"} />
            <Place to={["expenses"]} text={t("expenses")} isOpen={name === "expenses"} />
            <Place
              to={["communications"]}
              text={t(knowsAuthorities() ? "authorities" : "retention")}
              isOpen={name === "communications"}
            />
            {GROUPS.map(([group, names]) => (
              <section key={group}>
                <h2>{t(group)}</h2>
                {names.map((placeName) => (
                  <PlaceInGroup
                    key={placeName}
                    of={placeName}
                    isOpen={name === placeName || (name === "list" && path[0] === placeName)}
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
        <dl class="keys">
          {KEYS.map(([keys, what]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{t(what)}</dd>
            </div>
          ))}
        </dl>
        <SingleKeys />
        <form method="dialog">
          <button type="submit">{t("cancel")}</button>
        </form>
      </dialog>
      <Proof />
    </>
  );
}

// Result of a form that was left before the response, shown on any page.
function DeferredNotice() {
  const { words } = deferredNotice.value;
  // Don't show the notice to the next user.
  useEffect(() => () => showDeferredNotice(""), []);
  return (
    <p class="late" role="status">
      {words && (
        <>
          {words}{" "}
          <button type="button" aria-label={t("close")} onClick={() => showDeferredNotice("")}>
            ×
          </button>
        </>
      )}
    </p>
  );
}

type ProveSheet = typeof import("./desk/prove-sheet.tsx").default;

// Second-factor dialog. If it can't be loaded, the factor counts as not provided.
function Proof() {
  const [loaded, setLoaded] = useState<{ readonly Sheet: ProveSheet }>();
  const onEnd = pendingProof.value;
  useEffect(() => {
    if (onEnd && !loaded)
      import("./desk/prove-sheet.tsx").then(
        (module) => setLoaded({ Sheet: module.default }),
        () => onEnd(false),
      );
  }, [onEnd]);
  return onEnd && loaded ? <loaded.Sheet onEnd={onEnd} /> : null;
}

// Setting to disable single-letter shortcuts, for speech input users and typing accidents.
function SingleKeys() {
  const [isOn, setOn] = useState(hasSingleKeys());
  return (
    <label class="check">
      <input
        type="checkbox"
        name="single_keys"
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          keepSingleKeys(checked);
          setOn(checked);
        }}
      />
      {t("singleKeys")}
    </label>
  );
}

const KEYS: readonly (readonly [string, TextKey])[] = [
  ["/", "keySearch"],
  ["n", "keyNew"],
  ["Ctrl S", "keySave"],
  ["g t", "keyToday"],
  ["g p", "keyPlanning"],
  ["g r", "keyReservations"],
  ["g f", "keyFleet"],
  ["g c", "keyCustomers"],
  ["g m", "keyMoney"],
  ["g e", "expenses"],
  ["← ↑ → ↓", "keyArrows"],
  ["Enter", "keyEnter"],
  ["m", "keyMove"],
  ["e", "keyEnd"],
  ["Esc", "keyEscape"],
  ["Ctrl Z", "keyUndo"],
  ["?", "keyHelp"],
];

const ADMINISTERED: ReadonlySet<PlaceName> = new Set([
  "start",
  "imports",
  "security-log",
  "users",
  "partner-keys",
  "engine-keys",
  "gateways",
  "webhooks",
]);

const MANAGED: ReadonlySet<PlaceName> = new Set(["changes", "refused-calls"]);

// Hides links to pages that the user may not open.
function PlaceInGroup({ of, isOpen }: { readonly of: PlaceName; readonly isOpen: boolean }) {
  const text = PAGE_TEXTS[of];
  if (ADMINISTERED.has(of) && !may("administer")) return null;
  if (MANAGED.has(of) && !may("manage")) return null;
  return <Place to={text ? [of] : ["list", of]} text={text ? t(text) : tOr(`list.${of}`, of)} isOpen={isOpen} />;
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

const GOES_TO: Readonly<Record<string, string>> = {
  t: "today",
  p: "planning",
  r: "reservations",
  f: "fleet",
  c: "customers",
  m: "money",
  e: "expenses",
};
const KEY_SELECTORS: Readonly<Record<string, string>> = { "/": "input[type=search]", n: "a.main" };

// Handles single-letter shortcuts outside of inputs. `g` and a letter open a page.
function listenToKeys(showHelp: () => void): () => void {
  let isKeySequence = false;
  const onKey = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const isTyped = target.matches("input, select, textarea") || target.closest("dialog") !== null;
    if (isTyped || !hasSingleKeys() || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = isKeySequence ? GOES_TO[event.key] : undefined;
    isKeySequence = event.key === "g";
    if (place) go(place);
    else if (event.key === "?") showHelp();
    else followKey(event);
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

function followKey(event: KeyboardEvent): void {
  const selector = KEY_SELECTORS[event.key];
  const element = selector && document.querySelector<HTMLElement>(selector);
  if (!element) return;
  event.preventDefault();
  if (event.key === "n") element.click();
  else element.focus();
}
