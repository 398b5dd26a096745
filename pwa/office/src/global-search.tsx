import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { SearchMessage } from "#worker/api/office/search-messages.ts";
import { formatDay } from "./account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "./api.ts";
import { Icon } from "./icons.tsx";
import { route } from "./route.ts";
import { findSettingsPage, SETTINGS_PAGE_GROUPS } from "./settings-menu.ts";
import { type TextKey, t, tOr } from "./texts.ts";

type SearchResults = Immutable<SearchMessage>;

interface Option {
  readonly kind: TextKey;
  readonly title: string;
  readonly line: string;
  readonly href: string;
}

const WAIT_MILLISECONDS = 150;
const MIN_LETTERS = 2;

/** Search over reservations, customers, vehicles, documents and pages, as a combobox. */
export function GlobalSearch() {
  const [text, setText] = useState("");
  const [found, setFound] = useState<{ readonly text: string; readonly options: readonly Option[] }>();
  const [hasFailed, setFailed] = useState(false);
  const [active, setActive] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const searchText = text.trim();
  useEffect(() => {
    setFailed(false);
    if (searchText.length < MIN_LETTERS) {
      setFound(undefined);
      return;
    }
    let isCurrent = true;
    const timer = setTimeout(() => {
      sendOfficeRequest<SearchMessage>("GET", toOfficePath(`/search?q=${encodeURIComponent(searchText)}`)).then(
        (answer) => {
          if (!isCurrent) return;
          const content = getSuccessfulContent(answer);
          setFailed(!content);
          setFound({
            text: searchText,
            options: [...(content ? listRecords(content, searchText) : []), ...listPages(searchText)],
          });
          setActive(0);
        },
        () => isCurrent && setFailed(true),
      );
    }, WAIT_MILLISECONDS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [searchText]);
  useEffect(() => setText(""), [route.value]);
  const options = found?.options ?? [];
  const close = () => {
    setOpen(false);
    setText("");
  };
  const leave = () => {
    close();
    input.current?.blur();
  };
  const open = (option: Option | undefined) => {
    if (!option) return;
    location.href = option.href;
    leave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) setActive((active + step + options.length) % options.length);
    // A quick Enter waits for the answer to what is typed.
    else if (event.key === "Enter") open(found?.text === searchText ? options[active] : undefined);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  };
  const isShown = isOpen && searchText.length >= MIN_LETTERS;
  return (
    <div class="global-search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        {...toCombobox(list, isShown && options.length > 0 ? `${list}-${active}` : undefined)}
        name="global_search"
        aria-label={t("globalSearch")}
        autocomplete="off"
        placeholder={t("globalSearchHint")}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div id={list} role="listbox" aria-label={t("globalSearch")} hidden={!isShown || options.length === 0}>
        {options.map(({ kind, title, line, href }, index) => (
          // The input keeps the focus, so a press must not take it.
          <a
            key={href}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            href={href}
            onMouseDown={(event) => event.preventDefault()}
            onClick={leave}
          >
            <small>{t(kind)}</small>
            <span>{title}</span>
            <small>{line}</small>
          </a>
        ))}
      </div>
      {isShown && options.length === 0 && (
        <p class="none" role="status">
          {t(hasFailed ? "failed" : found?.text === searchText ? "nothingFound" : "loading")}
        </p>
      )}
    </div>
  );
}

// Returns the attributes of a combobox. An untyped object, because Preact's types allow this role only with a datalist.
const toCombobox = (list: string, active: string | undefined): object => ({
  role: "combobox",
  "aria-expanded": active !== undefined,
  "aria-controls": list,
  "aria-autocomplete": "list",
  "aria-activedescendant": active,
});

// Lists the found records. One whose number, plate or name is exactly the typed text comes first.
function listRecords(
  { reservations, customers, vehicles, documents, quotes }: SearchResults,
  text: string,
): readonly Option[] {
  const options: readonly Option[] = [
    ...reservations.map(({ title, page, date_from: from, time_from: time, date_to: to, status }) => ({
      kind: "reservation" as const,
      ...{ title, href: toHash(page) },
      line: `${formatDay(from)} ${time} – ${formatDay(to)} · ${tOr(`state.${status}`, status)}`,
    })),
    ...customers.map(({ title, line, page }) => ({ kind: "customer" as const, title, line, href: toHash(page) })),
    ...vehicles.map(({ title, line, page }) => ({ kind: "vehicleName" as const, title, line, href: toHash(page) })),
    ...documents.map(({ title, line, page }) => ({ kind: "document" as const, title, line, href: toHash(page) })),
    ...quotes.map(({ title, line, page }) => ({ kind: "quoteName" as const, title, line, href: toHash(page) })),
  ];
  const isExact = ({ title, line }: Option) =>
    [title, ...line.split(" · ")].some((part) => squeeze(part) === squeeze(text));
  return [...options.filter(isExact), ...options.filter((option) => !isExact(option))];
}

const squeeze = (text: string) => text.replaceAll(/[\s-]/g, "").toLowerCase();

const toHash = (page: string) => page.slice(page.indexOf("#"));

function listPages(text: string): readonly Option[] {
  const letters = text.toLowerCase();
  return SETTINGS_PAGE_GROUPS.flatMap(([, names]) => names.flatMap((name) => findSettingsPage(name) ?? []))
    .filter(({ text: title }) => title.toLowerCase().includes(letters))
    .slice(0, 5)
    .map(({ text: title, about, href }) => ({ kind: "settingsPage" as const, title, line: about, href }));
}
