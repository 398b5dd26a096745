import { html } from "hono/html";
import {
  CUSTOMER_PAGE_CSS,
  createNonce,
  formatContentSecurityPolicy,
  type Html,
  renderHtmlPage,
} from "#worker/api/own-page.ts";
import type { UnreadFormStatus } from "#worker/api/unread-form.ts";

interface Page {
  readonly language: string;
  readonly title: string;
  readonly body: Html;
  /** Whether the page is a company's and uses its color. True if not set. */
  readonly isOfCompany?: boolean;
  /** Origins that the page's forms may submit to. If not set, forms are blocked. */
  readonly formAction?: string;
  /** Our own script, without any inserted values. */
  readonly script?: string;
  /**
   * Target of the automatic redirect. On pages with a script, it applies if scripts are disabled, and the script reads
   * it from `data-…`.
   */
  readonly refresh?: { readonly seconds: number; readonly url: string };
  readonly status?: 200 | 404 | 405 | UnreadFormStatus;
}

/**
 * Creates a page for a visitor about to pay or returning from paying. `html` escapes every value. The browser runs only
 * the page's own script and submits forms only to the allowed origins.
 */
export async function createPaymentPage({
  language,
  title,
  body,
  formAction,
  script,
  refresh,
  status,
  isOfCompany,
}: Page): Promise<Response> {
  const nonce = createNonce();
  const hasScript = script !== undefined;
  const policy = formatContentSecurityPolicy(nonce, {
    hasScript,
    isConnected: hasScript && refresh !== undefined,
    formAction,
  });
  const head = html`<meta name="robots" content="noindex">
${refresh ? refreshing(refresh, hasScript) : ""}`;
  const document = renderHtmlPage({ language, title, head, style: STYLE, body, script, isOfCompany }, nonce);
  return new Response(String(await document), {
    status: status ?? 200,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "Cache-Control": "no-store",
      // The gateway may require the referring site. The full address would reveal a payment id.
      "Referrer-Policy": "strict-origin",
      "X-Frame-Options": "DENY",
    },
  });
}

function refreshing({ seconds, url }: NonNullable<Page["refresh"]>, hasScript: boolean): Html {
  const meta = html`<meta http-equiv="refresh" content="${seconds};url=${url}">`;
  return hasScript ? html`<noscript data-url="${url}" data-seconds="${seconds}">${meta}</noscript>` : meta;
}

const STYLE = `${CUSTOMER_PAGE_CSS}
body { min-height: 100vh; display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; }
main { width: min(28rem, 100%); text-align: center; }
p { margin: .4rem 0; color: var(--soft); }
.amount { margin: 1rem 0; color: var(--ink); font-size: 2rem; font-weight: 600; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.back { color: var(--ink); font-weight: 600; }
.mark { width: 3.25rem; height: 3.25rem; margin: 0 auto .75rem; display: grid; place-items: center; border-radius: 50%; background: var(--accent); color: var(--on);
  font-size: 1.6rem; line-height: 1; }
.mark.denied, .mark.left, .mark.expired, .mark.unknown { background: var(--bad); }
`;
