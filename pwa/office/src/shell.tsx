import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { loadLazily } from "#shared/lazy.tsx";
import { getBranchName, hasUserRight } from "./account.ts";
import { resolveSecondFactorPrompt } from "./api.ts";
import { AttentionBell } from "./bell.tsx";
import { BranchSwitch } from "./branch-switch.tsx";
import { chosenBranchCode, restoreBranch } from "./desk/chosen-branch.ts";
import { LoadErrorMessage } from "./desk/load-error.tsx";
import { NotAllowed } from "./desk/not-allowed.tsx";
import { Skeleton } from "./desk/skeleton.tsx";
import { deferredNotice, showDeferredNotice } from "./desk/submit-once.ts";
import { ChoicesLoadError } from "./desk/use-choices.tsx";
import { useMediaQuery, WIDE_SCREEN } from "./desk/use-media-query.ts";
import { useDropdownMenu } from "./desk/use-menu.ts";
import { GlobalSearch } from "./global-search.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { keepAccountCurrent } from "./read-account.ts";
import { linkTo, linkToList, route } from "./route.ts";
import { findPageRefusal, NEW_RECORD_PAGES, SETTINGS_PAGE_GROUPS } from "./settings-menu.ts";
import { SetupBar } from "./setup-bar.tsx";
import { areSingleKeyShortcutsEnabled } from "./single-key-shortcuts.ts";
import { type TextKey, t } from "./texts.ts";
import { UserMenu } from "./user-menu.tsx";
import { focusPageTitle, syncWindowTitle } from "./window-title.ts";

const KeyboardShortcutsDialog = loadLazily(
  () => import("./keyboard-shortcuts-dialog.tsx"),
  null,
  () => null,
);

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
  "ministry-reports": () => import("./pages/ministry-reports.tsx"),
  "settings-index": () => import("./pages/settings-index.tsx"),
  "prices-table": () => import("./pages/price-table.tsx"),
  letterhead: () => import("./pages/letterhead.tsx"),
  "signing-certificate": () => import("./pages/signing-certificate.tsx"),
  "opening-week": () => import("./pages/opening-week.tsx"),
  list: () => import("./pages/resource.tsx"),
  security: () => import("./pages/security.tsx"),
  changes: () => import("./pages/changes.tsx"),
  "rejected-requests": () => import("./pages/rejected-requests.tsx"),
  "security-log": () => import("./pages/security-log.tsx"),
  start: () => import("./pages/start.tsx"),
  "message-templates": () => import("./pages/message-templates.tsx"),
  imports: () => import("./pages/imports.tsx"),
  tasks: () => import("./pages/tasks.tsx"),
};

/** Frame of the office with menu and current page, loaded on demand. */
export function OfficeShell({ account, person }: { readonly account: string; readonly person: string }) {
  const [first = "today", ...path] = route.value;
  const name = first === "" ? "today" : first;
  const [isHelpOpen, setHelpOpen] = useState(false);
  const isWide = useMediaQuery(WIDE_SCREEN);
  useEffect(() => listenToKeys(() => setHelpOpen(true)), []);
  useEffect(() => syncWindowTitle(t("title")), []);
  useEffect(keepAccountCurrent, []);
  useState(restoreBranch);
  const entries = MENU.filter(([text]) => text !== "reports" || hasUserRight("reports"));
  const listLinks = (shown: readonly MenuEntry[]) =>
    shown.map(([text, icon, to, pages]) => (
      <a key={text} href={to} aria-current={isIn(pages, name, path) ? "page" : undefined}>
        <Icon name={icon} />
        <span>{t(text)}</span>
      </a>
    ));
  return (
    <>
      <button type="button" class="skip" onClick={() => focusPageTitle()}>
        {t("toContent")}
      </button>
      <header class="top">
        <div class="company">
          <p class="account">{account}</p>
          <p class="brand">{(!isWide && getBranchName(chosenBranchCode.value)) || t("title")}</p>
        </div>
        <GlobalSearch />
        <div class="actions">
          {isWide && <BranchSwitch isLabelHidden />}
          <NewMenu />
          <AttentionBell />
          <UserMenu person={person} onKeys={() => setHelpOpen(true)} />
        </div>
      </header>
      <SetupBar isAway={name !== "start"} />
      <div class="unread">
        <ChoicesLoadError />
      </div>
      <DeferredNotice />
      <div class="frame">
        {isWide ? (
          <details class="menu" open>
            <summary>
              <Icon name="menu" />
              <span>{t("menu")}</span>
            </summary>
            <nav aria-label={t("menu")}>{listLinks(entries)}</nav>
          </details>
        ) : (
          <nav class="menu bottom-bar" aria-label={t("menu")}>
            {listLinks(entries.slice(0, BAR_ENTRIES))}
            <MoreMenu>{listLinks(entries.slice(BAR_ENTRIES))}</MoreMenu>
          </nav>
        )}
        <OpenPage name={name} path={path} />
      </div>
      {isHelpOpen && <KeyboardShortcutsDialog onClose={() => setHelpOpen(false)} />}
      <Proof />
    </>
  );
}

// Entries that aren't in the bar of a small screen.
function MoreMenu({ children }: { readonly children: ComponentChildren }) {
  const { menu } = useDropdownMenu();
  return (
    <details {...menu}>
      <summary>
        <Icon name="menu" />
        <span>{t("menu")}</span>
      </summary>
      <div>{children}</div>
    </details>
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
            <Icon name="close" isSmall />
          </button>
        </>
      )}
    </p>
  );
}

type SecondFactorSheet = typeof import("./desk/second-factor-sheet.tsx").default;

// Second-factor dialog. If it can't be loaded, the factor counts as not provided.
function Proof() {
  const [loaded, setLoaded] = useState<{ readonly Sheet: SecondFactorSheet }>();
  const onEnd = resolveSecondFactorPrompt.value;
  useEffect(() => {
    if (onEnd && !loaded)
      import("./desk/second-factor-sheet.tsx").then(
        (module) => setLoaded({ Sheet: module.default }),
        () => onEnd(false),
      );
  }, [onEnd]);
  return onEnd && loaded ? <loaded.Sheet onEnd={onEnd} /> : null;
}

type MenuEntry = readonly [text: TextKey, icon: IconName, href: string, pages: readonly string[]];

/** Menu with the pages that belong to each entry. Everything else belongs to the settings. */
const MENU: readonly MenuEntry[] = [
  ["today", "today", linkTo("today"), ["today", "tasks"]],
  ["planning", "planning", linkTo("planning"), ["planning"]],
  ["reservations", "reservations", linkToList("reservations"), ["reservations", "quotes", "transfers"]],
  ["fleet", "fleet", linkTo("fleet"), ["fleet"]],
  ["customers", "customers", linkTo("customers"), ["customers"]],
  ["money", "money", linkTo("money"), ["money", "expenses"]],
  ["reports", "reports", linkTo("reports"), ["reports"]],
  ["settingsPage", "settings", linkTo("settings-index"), ["settings-index", "list"]],
];

/** Entries in the bar of a small screen. The others are in its menu. */
const BAR_ENTRIES = 4;

const SETTING_PAGES: ReadonlySet<string> = new Set(SETTINGS_PAGE_GROUPS.flatMap(([, names]) => names));

const isIn = (pages: readonly string[], name: string, [list = ""]: readonly string[]) =>
  pages.includes(name) || (pages.includes("settings-index") && (SETTING_PAGES.has(name) || SETTING_PAGES.has(list)));

/** Menu of what can be created. */
function NewMenu() {
  const { menu, close } = useDropdownMenu();
  const entries = NEW_RECORD_PAGES.filter(({ right }) => hasUserRight(right));
  if (entries.length === 0) return null;
  return (
    <details class="new" {...menu}>
      <summary>
        <Icon name="plus" />
        <span class="word">{t("newThing")}</span>
      </summary>
      <nav aria-label={t("newThing")}>
        {entries.map(({ text, href }) => (
          <a key={text} href={href} onClick={close}>
            {t(text)}
          </a>
        ))}
      </nav>
    </details>
  );
}

const reload = () => location.reload();

/** Returns the import of a page. A name of an object's methods, such as `constructor`, isn't a page. */
export const findPage = (name: string) => (Object.hasOwn(PAGES, name) ? PAGES[name] : undefined);

function OpenPage({ name, path }: { readonly name: string; readonly path: readonly string[] }) {
  const [loaded, setLoaded] = useState<{ readonly name: string; readonly Page: Page }>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    setFailed(false);
    // A page that arrives after the user has left it must not replace the current one.
    let isCurrent = true;
    findPage(name)?.().then(
      ({ default: Page }) => isCurrent && setLoaded({ name, Page }),
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [name]);
  // Reloads when the network is back, because browsers don't request a failed module again. Drafts stay. Listens before
  // the error is visible, so that no event is missed.
  useLayoutEffect(() => {
    if (!hasFailed) return;
    addEventListener("online", reload);
    return () => removeEventListener("online", reload);
  }, [hasFailed]);
  if (!findPage(name))
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
  const refused = findPageRefusal(name, path);
  if (refused) return <NotAllowed {...refused} />;
  if (hasFailed)
    return (
      <main>
        <LoadErrorMessage problem={t("pageUnread")} onRetry={reload} />
      </main>
    );
  if (loaded?.name !== name)
    return (
      <main class="status">
        <Skeleton />
      </main>
    );
  return <loaded.Page path={path} />;
}

const PAGE_BY_KEY: Readonly<Record<string, string>> = {
  t: "today",
  p: "planning",
  r: "reservations",
  f: "fleet",
  c: "customers",
  m: "money",
  e: "expenses",
};
/** Selectors of the element that a key activates. The first match counts: a page's own button before the menu. */
const KEY_SELECTORS: Readonly<Record<string, readonly string[]>> = {
  "/": ["[name=global_search]"],
  n: ["[data-new]", ".new summary"],
};

function isShortcut({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const element = target as HTMLElement;
  const isTyped = element.matches("input, select, textarea") || element.closest("dialog") !== null;
  return !isTyped && areSingleKeyShortcutsEnabled() && !ctrlKey && !metaKey && !altKey;
}

// Handles single-letter shortcuts outside of inputs. `g` and a letter open a page.
function listenToKeys(showHelp: () => void): () => void {
  let isKeySequence = false;
  const onKey = (event: KeyboardEvent) => {
    if (!isShortcut(event)) return followSearchKey(event);
    const place = isKeySequence ? PAGE_BY_KEY[event.key] : undefined;
    isKeySequence = event.key === "g";
    if (place) location.hash = linkToList(place);
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
