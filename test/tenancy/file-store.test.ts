import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { openAccountFiles } from "#worker/tenancy/file-store.ts";

test("continues listing stored objects after an empty page", async () => {
  const key = "t/listed/notes/1";
  await env.FILES.put(key, "text");
  const empty = { objects: [], delimitedPrefixes: [], truncated: true, cursor: "next" };
  const requests: unknown[] = [];
  const bucket = {
    list: async (options: R2ListOptions) => {
      requests.push(options.cursor);
      if (requests.length > 3) throw new Error("the listing doesn't end");
      return options.cursor === "next" ? env.FILES.list({ prefix: options.prefix ?? "" }) : empty;
    },
  } as unknown as R2Bucket;
  expect(await openAccountFiles(bucket, "listed").list("notes/")).toEqual(["notes/1"]);
  expect(requests).toEqual([undefined, "next"]);
});
