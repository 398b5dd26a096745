import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const readAccent = (path: string) =>
  /--(?:accent|link):[^;]*?light-dark\((#\w+), ?(#\w+)\)/.exec(readFileSync(path, "utf8"))?.slice(1).join(" ");

test.each(["worker/api/payments/page.ts", "worker/api/quotes/page.ts", "pwa/widget/public/company.css"])(
  "shows visitors the colour of the widget in %s",
  (path) => {
    expect(readAccent(path)).toBe(readAccent("pwa/widget/src/style.css"));
  },
);
