import "./page.ts";
import { expect, test } from "vitest";
import { replaceQueryValues, route, urlQuery } from "../../pwa/office/src/route.ts";

test("stores the search text in the URL of its own page, not of the next page", () => {
  Object.assign(location, { hash: "#/expenses" });
  urlQuery.value = new URLSearchParams();
  route.value = ["expenses"];
  replaceQueryValues({ q: "paper 7" });
  expect([location.hash, urlQuery.value.get("q")]).toEqual(["#/expenses?q=paper+7", "paper 7"]);
  Object.assign(location, { hash: "#/fleet/AUTO-01" });
  replaceQueryValues({ q: "paper 8" });
  expect([location.hash, urlQuery.value.get("q")]).toEqual(["#/fleet/AUTO-01", "paper 7"]);
});
