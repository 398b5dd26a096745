import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const readAccent = (path: string) =>
  /--(?:accent|link):[^;]*?light-dark\((#\w+), ?(#\w+)\)/.exec(readFileSync(path, "utf8"))?.slice(1).join(" ");

test.each(["worker/api/own-page.ts", "pwa/widget/public/company.css"])(
  "shows visitors the colour of the widget in %s",
  (path) => {
    expect(readAccent(path)).toBe(readAccent("pwa/widget/src/style.css"));
  },
);

test.each(["worker/api/payments/page.ts", "worker/api/quotes/page.ts", "worker/api/customer-access/link-page.ts"])(
  "uses the colours, fields and buttons of all own pages in %s",
  (path) => {
    const source = readFileSync(path, "utf8");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source contains the placeholder.
    expect(source).toContain("${CARD_PAGE_CSS}");
    expect(source).not.toMatch(/^(?:h1|a|input|button)\b.* \{/m);
  },
);
