import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { SearchMessage } from "#worker/api/office/search-messages.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "./api.ts";
import { Icon } from "./icons.tsx";
import { route } from "./route.ts";
import type { SearchOption } from "./search-options.ts";
import { t } from "./texts.ts";

const WAIT_MILLISECONDS = 150;
const MIN_LETTERS = 2;

/** Search over reservations, customers, vehicles, documents, pages and actions, as a combobox. */
export function GlobalSearch() {
  const [text, setText] = useState("");
  const [found, setFound] = useState<{ readonly text: string; readonly options: readonly SearchOption[] }>();
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
      Promise.all([
        import("./search-options.ts"),
        sendOfficeRequest<SearchMessage>("GET", toOfficePath(`/search?q=${encodeURIComponent(searchText)}`)),
      ]).then(
        ([{ listFoundRecords, listMatchingPages }, answer]) => {
          if (!isCurrent) return;
          const content = getSuccessfulContent(answer);
          setFailed(!content);
          setFound({
            text: searchText,
            options: [...(content ? listFoundRecords(content, searchText) : []), ...listMatchingPages(searchText)],
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
  const open = (option: SearchOption | undefined) => {
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
