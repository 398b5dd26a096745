import "./style.css";
import { type Language, languages } from "./texts.ts";

const parameters = new URLSearchParams(location.search);
const isTransfers = parameters.get("shop") === "transfers";

/** Returns the language of the URL, the visitor's, or English. */
function firstLanguage(): Language {
  const wishes = [parameters.get("lang"), ...navigator.languages].map((language) => language?.slice(0, 2));
  return (
    wishes.find((language): language is Language => language !== undefined && Object.hasOwn(languages, language)) ??
    "en"
  );
}

function show(language: Language): void {
  const texts = languages[language];
  document.documentElement.lang = language;
  document.title = isTransfers ? texts.transfers : texts.cars;
  for (const place of document.querySelectorAll<HTMLElement>("[data-text]")) {
    place.textContent = texts[(place.dataset["text"] ?? "") as keyof typeof texts] ?? "";
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-language]")) {
    button.ariaPressed = String(button.dataset["language"] === language);
  }
  document.querySelector("rental-booking")?.setAttribute("lang", language);
}

/** Inserts the embed code by script, because the company's address in it depends on the host of this page. */
function embed(): void {
  const account = parameters.get("api") ?? location.origin;
  const script = document.createElement("script");
  script.src = new URL("/widget/rental-booking.js", account).href;
  const widget = document.createElement("rental-booking");
  widget.setAttribute("account", account);
  const key = parameters.get("api_key");
  if (key) widget.setAttribute("key", key);
  if (isTransfers) widget.setAttribute("kind", "transfers");
  document.querySelector("#shop")?.append(widget);
  document.head.append(script);
  const lines = [
    `<script src="${script.src}" async></script>`,
    `<rental-booking account="${account}"${key ? ` key="${key}"` : ""}${isTransfers ? ' kind="transfers"' : ""}></rental-booking>`,
  ];
  const code = document.querySelector("#lines");
  if (code) code.textContent = lines.join("\n");
}

function link(): void {
  for (const anchor of document.querySelectorAll<HTMLAnchorElement>(".shops a")) {
    const url = new URL(location.pathname, location.href);
    for (const name of ["api", "api_key", "lang"]) {
      const value = parameters.get(name);
      if (value) url.searchParams.set(name, value);
    }
    const shop = anchor.dataset["shop"];
    if (shop) url.searchParams.set("shop", shop);
    anchor.href = url.href;
    if ((shop === "transfers") === isTransfers) anchor.ariaCurrent = "page";
  }
}

embed();
link();
show(firstLanguage());
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-language]")) {
  button.addEventListener("click", () => {
    const url = new URL(location.href);
    url.searchParams.set("lang", button.dataset["language"] ?? "en");
    history.replaceState(history.state, "", url);
    show(button.dataset["language"] as Language);
  });
}
