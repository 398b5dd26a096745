import { render } from "preact";
import { resolveAccountOrigin } from "./account.ts";
import css from "./style.css?inline";
import { chooseLanguage } from "./texts.ts";
import { Widget, WidgetUnavailable } from "./widget.tsx";

const SCRIPT = "/widget/rental-booking.js";

// Read while the script runs, because `document.currentScript` isn't available later. Modules don't have it.
const scriptUrl =
  (document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "") ||
  [...document.scripts].find(({ src }) => URL.parse(src)?.pathname === SCRIPT)?.src;
const scriptOrigin = URL.parse(scriptUrl ?? "")?.origin ?? location.origin;

// A constructed style sheet isn't an inline style, so strict policies allow it.
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);

/**
 * `<rental-booking account="…" lang="…" kind="rentals|transfers" key="…">`: booking engine of a company for any
 * website.
 */
export class RentalBooking extends HTMLElement {
  static readonly observedAttributes = ["account", "lang", "kind", "key"];
  #root: ShadowRoot | undefined;

  connectedCallback(): void {
    this.#root ??= this.attachShadow({ mode: "open" });
    this.#root.adoptedStyleSheets = [sheet];
    this.#show();
  }

  disconnectedCallback(): void {
    if (this.#root) render(null, this.#root);
  }

  attributeChangedCallback(): void {
    if (this.isConnected && this.#root) this.#show();
  }

  #show(): void {
    if (!this.#root) return;
    const around = this.closest("[lang]")?.getAttribute("lang");
    const language = chooseLanguage([this.lang, around, document.documentElement.lang, ...navigator.languages]);
    const origin = resolveAccountOrigin(this.getAttribute("account"), scriptUrl);
    const kind = this.getAttribute("kind") === "transfers" ? "transfers" : "rentals";
    if (!origin) {
      console.error(`<rental-booking>: wrong attribute account="${this.getAttribute("account")}"`);
      render(<WidgetUnavailable origin={scriptOrigin} language={language} onRetry={() => this.#show()} />, this.#root);
      return;
    }
    const apiKey = this.getAttribute("key") || undefined;
    // Another company or kind starts over. Another language shows the same content translated.
    const identity = `${origin} ${kind} ${apiKey}`;
    const announce = (name: string, detail: object) =>
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    render(
      <Widget
        key={identity}
        {...{ scriptOrigin, announce }}
        origin={origin}
        kind={kind}
        apiKey={apiKey}
        language={language}
      />,
      this.#root,
    );
  }
}
