import { findSearchEntries, type SearchIndexEntry } from "./search.ts";

/** Sets up the search field: results while typing, arrow keys to select, Enter to open, `/` to focus. */
export function setUpSearch(input: HTMLInputElement, list: HTMLElement): void {
  let entries: Promise<readonly SearchIndexEntry[]> | undefined;
  const load = () => {
    entries ??= fetch("/docs/assets/search.json").then(
      (answer) => answer.json() as Promise<readonly SearchIndexEntry[]>,
    );
    return entries;
  };
  let chosen = -1;
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>("a")];
  const choose = (index: number) => {
    const all = options();
    chosen = all.length === 0 ? -1 : (index + all.length) % all.length;
    all.forEach((hTMLAnchorElement, at) => {
      hTMLAnchorElement.setAttribute("aria-selected", String(at === chosen));
    });
    const hTMLAnchorElement = all[chosen];
    hTMLAnchorElement?.scrollIntoView({ block: "nearest" });
    if (hTMLAnchorElement) input.setAttribute("aria-activedescendant", hTMLAnchorElement.id);
    else input.removeAttribute("aria-activedescendant");
  };
  const show = async () => {
    const matches = findSearchEntries(await load(), input.value);
    list.replaceChildren(
      ...(matches.length > 0 || input.value.trim() === "" ? matches.map(createOption) : [nothing()]),
    );
    list.hidden = input.value.trim() === "";
    input.setAttribute("aria-expanded", String(!list.hidden));
    choose(0);
  };
  const hide = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  input.addEventListener("focus", () => void load());
  input.addEventListener("input", () => void show());
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Escape") hide();
    else return;
    event.preventDefault();
  });
  input.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    options()[chosen]?.click();
  });
  list.addEventListener("click", () => hide());
  document.addEventListener("click", (event) => {
    if (event.target instanceof Node && !input.form?.contains(event.target)) hide();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
    if (event.key !== "/" || isTyping) return;
    event.preventDefault();
    input.focus();
  });
  const initialQuery = new URLSearchParams(location.search).get("q");
  if (initialQuery) {
    input.value = initialQuery;
    void show();
  }
}

function createOption([name, address, page]: SearchIndexEntry, index: number): HTMLElement {
  const link = document.createElement("a");
  link.id = `found-${index}`;
  link.href = address;
  link.role = "option";
  link.tabIndex = -1;
  link.append(element("strong", name), " ", element("span", page));
  return link;
}

function nothing(): HTMLElement {
  return element("p", "No results. Try other words.");
}

function element(kind: "strong" | "span" | "p", text: string): HTMLElement {
  const createdElement = document.createElement(kind);
  createdElement.textContent = text;
  return createdElement;
}
