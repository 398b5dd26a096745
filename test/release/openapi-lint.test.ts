import { createConfig, lint, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { openApiDocuments } from "#scripts/openapi-documents.ts";

interface Exception {
  readonly rule: string;
  readonly pointer: string;
  /** Reason for the exception. */
  readonly because: string;
}

const EXCEPTIONS: readonly Exception[] = [
  {
    rule: "operation-2xx-response",
    pointer: "#/paths/~1charge-return~1{gateway}~1{outcome}/get/responses",
    because: "a gateway sends visitors here to be sent on: the answer that succeeds is 303, and there is no other",
  },
  ...["invoice", "internal-bond"].map((document) => ({
    rule: "no-illogical-composition-keywords",
    pointer: `#/paths/~1v1~1integration~1${document}~1{id}~1processed/post/requestBody/content/application~1json/schema/oneOf`,
    because: "an absent status means processed, and the other choice requires another status: none fits both",
  })),
];

test.each(Object.keys(openApiDocuments))(
  "satisfies the linter's recommended rules in docs/openapi/%s.json",
  async (name) => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lint({ ref: `docs/openapi/${name}.json`, config });
    const lintProblems = problems.map(({ ruleId, message, location }) => ({
      rule: ruleId,
      pointer: location[0]?.pointer ?? "",
      message,
    }));
    const isException = ({ rule, pointer }: (typeof lintProblems)[number]) =>
      EXCEPTIONS.some((exception) => exception.rule === rule && exception.pointer === pointer);
    expect(lintProblems.filter((problem) => !isException(problem))).toEqual([]);
  },
);

test("detects missing parts of an incomplete OpenAPI document by the linter", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const paths = { "/": { get: { responses: { 200: { description: "Well" } } } } };
  const source = JSON.stringify({ openapi: "3.1.0", info: { title: "Poor", version: "1" }, paths });
  const rules = (await lintFromString({ source, config })).map(({ ruleId }) => ruleId);
  expect(rules).toEqual(
    expect.arrayContaining(["info-license", "operation-operationId", "operation-4xx-response", "security-defined"]),
  );
});
