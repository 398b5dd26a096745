import { beforeEach, expect, test } from "vitest";
import { aCompany } from "#support/company.ts";
import { request } from "#support/worker.ts";
import { describedInterfaces } from "#worker/site/docs.ts";

beforeEach(async () => {
  await aCompany();
});

test.each(describedInterfaces)(
  "the pages show the document of $title, which is there",
  async ({ url, access, example }) => {
    const response = await request(`http://acme.localhost:8787${url}`);
    expect(response.status).toBe(200);
    const document = (await response.json()) as {
      openapi: string;
      paths: Record<string, unknown>;
      servers: { url: string }[];
    };
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths).length).toBeGreaterThan(0);
    const paths = Object.keys(document.paths).map((path) => `${document.servers[0]?.url}${path}`);
    if (access === "signed") expect(paths).toContain(example.split("?")[0]);
  },
);

test("the list of interfaces is an account's own", async () => {
  expect(await (await request("http://acme.localhost:8787/docs/interfaces.json")).json()).toEqual(describedInterfaces);
  expect((await request("http://nobody.localhost:8787/docs/interfaces.json")).status).toBe(404);
});
