import { decodeUrlComponent } from "#shared/decode-url.ts";
import "#shared/tokens.css";
import "./style.css";
import { setUpCredentialsDialog } from "./credentials.ts";
import { getElement } from "./elements.ts";
import { makeSampleInteractive } from "./interactive-sample.ts";
import { setUpSearch } from "./search-box.ts";
import type { DemoCredentials } from "./stored-credentials.ts";

const BUILT_FOR = "https://acme.example.com";
const WIDE = matchMedia("(min-width: 900px)");

// Without demo credentials, readers need their own.
const demo = fetch("/docs/account.json")
  .then(async (answer) => ((await answer.json()) as { readonly demo?: DemoCredentials }).demo)
  .catch(() => undefined);

// If a company serves the page, replace the example host with its own.
for (const code of document.querySelectorAll("main pre code, main td code"))
  if (code.textContent?.includes(BUILT_FOR)) code.textContent = code.textContent.replaceAll(BUILT_FOR, location.origin);
for (const place of document.querySelectorAll<HTMLElement>(".sample")) makeSampleInteractive(place, demo);
setUpSearch(getElement("docs-search", HTMLInputElement), getElement("docs-found", HTMLElement));
setUpCredentialsDialog(getElement("docs-who", HTMLButtonElement), demo);

const menu = document.querySelector<HTMLDetailsElement>("details.menu");
const follow = () => {
  if (menu) menu.open = WIDE.matches;
};
WIDE.addEventListener("change", follow);
follow();
document.querySelector(".menu [aria-current]")?.scrollIntoView({ block: "nearest" });
// Content above has grown, so scroll to the anchor again.
if (location.hash) document.getElementById(decodeUrlComponent(location.hash.slice(1)))?.scrollIntoView();
