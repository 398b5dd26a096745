import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const readAccent = (path: string) =>
  /--(?:accent|link):[^;]*?light-dark\((#\w+), ?(#\w+)\)/.exec(readFileSync(path, "utf8"))?.slice(1).join(" ");

test.each(["worker/api/own-page.ts", "pwa/widget/public/company.css"])(
  "uses the widget's accent colour in %s",
  (path) => {
    expect(readAccent(path)).toBe(readAccent("pwa/widget/src/style.css"));
  },
);

test.each(["worker/api/payments/page.ts", "worker/api/quotes/page.ts", "worker/api/customer-access/link-page.ts"])(
  "uses the styles that the Worker's pages share in %s, without styles of its own",
  (path) => {
    const source = readFileSync(path, "utf8");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source contains the placeholder.
    expect(source).toContain("${CUSTOMER_PAGE_CSS}");
    expect(source).not.toMatch(/^(?:h1|a|input|button)\b.* \{/m);
  },
);
