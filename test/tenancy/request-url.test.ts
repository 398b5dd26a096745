import fc from "fast-check";
import { expect, test } from "vitest";
import {
  getHostname,
  getOrigin,
  getPathAndQuery,
  getPathname,
  getQueryParameters,
} from "#worker/tenancy/request-url.ts";

const characters = fc.constantFrom(..."abAB09_-.~!$'()*,;:@/?&=+%", "%41", "%c3%a9", "%ff", "%zz", "%", "é", "€", " ");
const text = fc.array(characters, { maxLength: 12 }).map((parts) => parts.join(""));
const host = fc.constantFrom("acme.localhost", "ACME.localhost:8787", "globex.example.com", "[::1]:80", "münchen.de");
/** URLs as normalized by the platform's parser. */
const url = fc
  .tuple(fc.constantFrom("http", "https"), host, text, fc.option(text))
  .map(
    ([scheme, name, path, query]) => new Request(`${scheme}://${name}/${path}${query === null ? "" : `?${query}`}`).url,
  );

test("splits a URL into the same parts as the standard parser", () => {
  fc.assert(
    fc.property(url, (address) => {
      const parsed = new URL(address);
      if (!parsed.hostname.startsWith("[")) expect(getHostname(address)).toBe(parsed.hostname);
      expect(getOrigin(address)).toBe(parsed.origin);
      expect(getPathname(address)).toBe(parsed.pathname);
      expect(getPathAndQuery(address).startsWith(parsed.pathname + parsed.search)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test("returns the parameters of each URL when several are asked for in turn", () => {
  const names = (address: string) => getQueryParameters(address).map(({ name }) => name);
  const [first, second] = ["http://acme.localhost/?a=1", "http://globex.localhost/?b=1"];
  expect([names(first), names(first), names(second), names(first)]).toEqual([["a"], ["a"], ["b"], ["a"]]);
});

test("returns a URL's query parameters in order, including empty ones", () => {
  fc.assert(
    fc.property(url, (address) => {
      const read = [...new URL(address).searchParams].map(([name, value]) => ({ name, isEmpty: value === "" }));
      expect(getQueryParameters(address)).toEqual(read);
    }),
    { numRuns: 2_000 },
  );
});
