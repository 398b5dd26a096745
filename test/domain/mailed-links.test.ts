import { expect, test } from "vitest";
import { READ_MAILED_LINK_SCRIPT } from "#worker/api/customer-access/link-page.ts";

test("keeps a mailed link for a reload, with its language, but not in the address bar", () => {
  const page = { pathname: "/verify-email", search: "?id=secret&lang=de" };
  const history = {
    state: null as unknown,
    replaceState: (state: unknown, _title: string, address: string) => {
      history.state = state;
      page.search = new URL(address, "https://example.com").search;
    },
  };
  const read = new Function("location", "history", `${READ_MAILED_LINK_SCRIPT}; return link;`);
  expect(read(page, history)).toBe("secret");
  expect(page.search).toBe("?lang=de");
  expect(read(page, history)).toBe("secret");
  expect(read({ ...page, search: "" }, { ...history, state: null })).toBe("none");
});
