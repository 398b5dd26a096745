import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { may } from "./account.ts";
import { resolveSecondFactorPrompt } from "./api.ts";
import { AttentionBell } from "./bell.tsx";
import { BranchSwitch } from "./branch-switch.tsx";
import { restoreBranch } from "./desk/branch.ts";
import { ChoicesLoadError } from "./desk/choices.tsx";
import { LoadErrorMessage } from "./desk/load-error.tsx";
import { deferredNotice, showDeferredNotice } from "./desk/sending.ts";
import { useMenu } from "./desk/use-menu.ts";
import { focusPageTitle, syncWindowTitle } from "./follow-title.ts";
import { GlobalSearch } from "./global-search.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { SETTING_GROUPS } from "./places.ts";
import { go, linkTo, linkWith, route } from "./route.ts";
import { SetupBar } from "./setup-bar.tsx";
import { hasSingleKeys, saveSingleKeys } from "./single-keys.ts";
import { type TextKey, t } from "./texts.ts";

type Page = ComponentType<{ readonly path: readonly string[] }>;

const PAGES: Readonly<Record<string, () => Promise<{ readonly default: Page }>>> = {
  today: () => import("./pages/today.tsx"),
  reservations: () => import("./pages/reservations.tsx"),
  quotes: () => import("./pages/quotes.tsx"),
  transfers: () => import("./pages/transfers.tsx"),
  planning: () => import("./pages/planning.tsx"),
  fleet: () => import("./pages/fleet.tsx"),
  customers: () => import("./pages/customers.tsx"),
  money: () => import("./pages/money.tsx"),
  expenses: () => import("./pages/expenses.tsx"),
  reports: () => import("./pages/reports.tsx"),
  communications: () => import("./pages/communications.tsx"),
  "settings-index": () => import("./pages/settings-index.tsx"),
  "prices-table": () => import("./pages/price-table.tsx"),
  letterhead: () => import("./pages/letterhead.tsx"),
  "signing-certificate": () => import("./pages/signing-certificate.tsx"),
  "opening-week": () => import("./pages/opening-week.tsx"),
  list: () => import("./pages/resource.tsx"),
  security: () => import("./pages/security.tsx"),
  changes: () => import("./pages/changes.tsx"),
  "refused-calls": () => import("./pages/refused-calls.tsx"),
  "security-log": () => import("./pages/security-log.tsx"),
  start: () => import("./pages/start.tsx"),
  "message-templates": () => import("./pages/message-templates.tsx"),
  imports: () => import("./pages/imports.tsx"),
  tasks: () => import("./pages/tasks.tsx"),
};

const WIDE = matchMedia("(min-width: 900px)");

/** Frame of the office with menu and current page, loaded on demand. */
export function Shell({ account, person }: { readonly account: string; readonly person: string }) {
  const [first = "today", ...path] = route.value;
  const name = first === "" ? "today" : first;
  const menu = useRef<HTMLDetailsElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => listenToKeys(() => help.current?.showModal()), []);
  useEffect(() => syncWindowTitle(t("title")), []);
  useState(restoreBranch);
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
      <button type="button" class="skip" onClick={() => focusPageTitle()}>
        {t("toContent")}
      </button>
      <header class="top">
        <div>
          <p class="account">{account}</p>
          <p class="brand">{t("title")}</p>
        </div>
        <GlobalSearch />
        <div class="actions">
          <BranchSwitch />
          <NewMenu />
          <AttentionBell />
          <PersonMenu person={person} onKeys={() => help.current?.showModal()} />
        </div>
      </header>
      <SetupBar isAway={name !== "start"} />
      <div class="unread">
        <ChoicesLoadError />
      </div>
      <DeferredNotice />
      <div class="frame">
        <details class="menu" ref={menu} open={WIDE.matches}>
          <summary>{t("menu")}</summary>
          <nav aria-label={t("menu")}>
            {MENU.filter(([text]) => text !== "reports" || may("reports")).map(([text, icon, to, pages]) => (
              <a key={text} href={to} aria-current={isIn(pages, name, path) ? "page" : undefined}>
                <Icon name={icon} />
                {t(text)}
              </a>
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
  const onEnd = resolveSecondFactorPrompt.value;
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
          saveSingleKeys(checked);
          setOn(checked);
        }}
      />
      {t("singleKeys")}
    </label>
  );
}

const KEYS: readonly (readonly [string, TextKey])[] = [
  ["/ · Ctrl K", "keySearch"],
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

type MenuEntry = readonly [text: TextKey, icon: IconName, href: string, pages: readonly string[]];

/** Menu with the pages that belong to each entry. Everything else belongs to the settings. */
const MENU: readonly MenuEntry[] = [
  ["today", "today", linkTo("today"), ["today", "tasks"]],
  ["planning", "planning", linkTo("planning"), ["planning"]],
  [
    "reservations",
    "reservations",
    linkWith({ view: "upcoming", sort: "date_from" }, "reservations"),
    ["reservations", "quotes", "transfers"],
  ],
  ["fleet", "fleet", linkTo("fleet"), ["fleet"]],
  ["customers", "customers", linkTo("customers"), ["customers"]],
  ["money", "money", linkTo("money"), ["money", "expenses"]],
  ["reports", "reports", linkTo("reports"), ["reports"]],
  ["settingsPage", "settings", linkTo("settings-index"), ["settings-index", "list"]],
];

const SETTING_PAGES: ReadonlySet<string> = new Set(SETTING_GROUPS.flatMap(([, names]) => names));

const isIn = (pages: readonly string[], name: string, [list = ""]: readonly string[]) =>
  pages.includes(name) || (pages.includes("settings-index") && (SETTING_PAGES.has(name) || SETTING_PAGES.has(list)));

const NEW: readonly (readonly [TextKey, string])[] = [
  ["newReservation", linkTo("reservations", "new")],
  ["newQuote", linkWith({ quote: "true" }, "reservations", "new")],
  ["newTransfer", linkTo("transfers", "new")],
  ["newCustomer", linkTo("customers", "new")],
  ["newVehicle", linkTo("fleet", "new")],
  ["newExpense", linkTo("expenses", "new")],
];

// Operators and agents can't create vehicles.
const canMake = (text: TextKey) => (text === "newVehicle" ? may("manage") : may("sell"));

/** Menu of what can be created. */
function NewMenu() {
  const { menu, close } = useMenu({ closesOnBlur: true });
  const entries = NEW.filter(([text]) => canMake(text));
  if (entries.length === 0) return null;
  return (
    <details class="new" {...menu}>
      <summary>
        <Icon name="plus" />
        {t("newThing")}
      </summary>
      <nav aria-label={t("newThing")}>
        {entries.map(([text, href]) => (
          <a key={text} href={href} onClick={close}>
            {t(text)}
          </a>
        ))}
      </nav>
    </details>
  );
}

const reload = () => location.reload();

function OpenPage({ name, path }: { readonly name: string; readonly path: readonly string[] }) {
  const [loaded, setLoaded] = useState<{ readonly name: string; readonly Page: Page }>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    setFailed(false);
    PAGES[name]?.().then(
      ({ default: Page }) => setLoaded({ name, Page }),
      () => setFailed(true),
    );
  }, [name]);
  // Reloads when the network is back, because browsers don't request a failed module again. Drafts stay. Listens before
  // the error is visible, so that no event is missed.
  useLayoutEffect(() => {
    if (!hasFailed) return;
    addEventListener("online", reload);
    return () => removeEventListener("online", reload);
  }, [hasFailed]);
  if (!PAGES[name])
    return (
      <main>
        <h1>{t("noSuchThing")}</h1>
        <p>
          <a class="button" href={linkTo("today")}>
            {t("today")}
          </a>
        </p>
      </main>
    );
  if (hasFailed)
    return (
      <main>
        <LoadErrorMessage problem={t("pageUnread")} onRetry={reload} />
      </main>
    );
  if (loaded?.name !== name) return <main class="status">{t("loading")}</main>;
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
/** Elements of a key. The first that exists counts, so a page's own button comes before the menu. */
const KEY_SELECTORS: Readonly<Record<string, readonly string[]>> = {
  "/": ["[name=global_search]"],
  n: ["[data-new]", ".new summary"],
};

function isShortcut({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const element = target as HTMLElement;
  const isTyped = element.matches("input, select, textarea") || element.closest("dialog") !== null;
  return !isTyped && hasSingleKeys() && !ctrlKey && !metaKey && !altKey;
}

// Handles single-letter shortcuts outside of inputs. `g` and a letter open a page.
function listenToKeys(showHelp: () => void): () => void {
  let isKeySequence = false;
  const onKey = (event: KeyboardEvent) => {
    if (!isShortcut(event)) return followSearchKey(event);
    const place = isKeySequence ? GOES_TO[event.key] : undefined;
    isKeySequence = event.key === "g";
    if (place) go(place);
    else if (event.key === "?") showHelp();
    else followKey(event, event.key);
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

function followSearchKey(event: KeyboardEvent): void {
  if (event.key === "k" && (event.ctrlKey || event.metaKey)) followKey(event, "/");
}

function followKey(event: KeyboardEvent, key: string): void {
  const elements = (KEY_SELECTORS[key] ?? []).flatMap((selector) => [
    ...document.querySelectorAll<HTMLElement>(selector),
  ]);
  const [element] = elements;
  if (!element) return;
  event.preventDefault();
  if (key === "n") element.click();
  else element.focus();
}
