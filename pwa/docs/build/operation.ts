import { type ExampleCall, toCallRequest } from "../src/call.ts";
import { createSnippet } from "../src/snippets.ts";
import type { Operation, Parameter, Schema } from "./documents.ts";
import { type Html, html, renderCode } from "./html.ts";
import type { SchemaRenderer } from "./schema.ts";
import { UNRUNNABLE_EXAMPLES } from "./unrunnable-examples.ts";

/** Placeholder host of the company. The page's script replaces it with the host that serves the page. */
const ORIGIN = "https://acme.example.com";
const MAX_EXAMPLE_LENGTH = 5000;
/** Date used at build time. The page's script moves examples to the current date. */
const BUILT = "2030-04-15";

/** Renders an operation: description, parameters, responses and its call in each language. */
export function buildOperationSection(
  { call, summary, description, ...operation }: Operation,
  view: SchemaRenderer,
): Html {
  const prerequisite = UNRUNNABLE_EXAMPLES[call.operation];
  return html`<section class="operation" id="${call.operation}">
    <div class="about">
      <h2><a href="#${call.operation}">${summary}</a></h2>
      <p class="address"><span class="method ${call.method.toLowerCase()}">${call.method}</span> <code>${breakable(call.path)}</code></p>
      ${description && html`<p>${renderCode(description)}</p>`}
      <p class="who">${WHO[call.as]}</p>
      ${renderParameters(operation.parameters ?? [], view)} ${renderBody(operation.requestBody, view)}
      ${renderResponses(operation.responses, view)}
    </div>
    <div class="beside">${renderSample(call)}${answerExample(operation.responses, view)} ${prerequisite && html`<p class="note">This request shows the form: ${prerequisite}.</p>`}</div>
  </section>`;
}

const WHO: Readonly<Record<ExampleCall["as"], Html>> = {
  ota: html`<a href="/docs/guides/conventions/#signed-calls">Signed</a> with a key of the scope <code>ota</code>.`,
  integration: html`<a href="/docs/guides/conventions/#signed-calls">Signed</a> with a key of the scope <code>integration</code>.`,
  analytics: html`<a href="/docs/guides/conventions/#signed-calls">Signed</a> with a key of the scope <code>analytics</code>.`,
  staff: html`With the <a href="/docs/start/staff/">token</a> of a member of staff.`,
  customer: html`With the <a href="/docs/start/staff/">token</a> of a customer.`,
  nobody: html`Open: no credential.`,
};

// Renders the example response if it's short enough to show next to the request.
function answerExample(responses: Operation["responses"], view: SchemaRenderer): Html | false {
  const successResponse = Object.entries(responses).find(([status]) => Number(status) < 300);
  const content = successResponse?.[1].content?.["application/json"];
  if (!successResponse || !content?.schema) return false;
  const text = JSON.stringify(content.example ?? view.example(content.schema), null, 2);
  if (text.length > MAX_EXAMPLE_LENGTH) return false;
  return html`<details class="comes">
    <summary>Answer ${successResponse[0]}</summary>
    <pre tabindex="0" aria-label="An answer"><code>${text}</code></pre>
  </details>`;
}

/** Renders a call in all languages with a form to try it. Without JavaScript, shows curl. */
export function renderSample(call: ExampleCall): Html {
  const text = createSnippet("curl", ORIGIN, toCallRequest(call, BUILT));
  return html`<div class="sample" data-call="${JSON.stringify(call)}"><pre tabindex="0" aria-label="Request in curl"><code>${text}</code></pre></div>`;
}

// Allows line breaks after slashes in long paths.
const breakable = (path: string) =>
  path.split("/").flatMap((part, index) => (index === 0 ? [part] : [html`/<wbr />`, part]));

function renderParameters(parameters: readonly Parameter[], view: SchemaRenderer): Html | false {
  if (parameters.length === 0) return false;
  const groups = (["path", "query", "header"] as const).map((where) => ({
    where,
    of: parameters.filter((parameter) => parameter.in === where),
  }));
  return html`${groups
    .filter(({ of }) => of.length > 0)
    .map(
      ({ where, of }) => html`<h3>${TITLES[where]}</h3>
        <ul class="fields">
          ${of.map((parameter) =>
            view.field(parameter.name, parameter.schema, {
              isRequired: parameter.required === true,
              isAsked: true,
              description: parameter.description ?? parameter.schema.description,
            }),
          )}
        </ul>`,
    )}`;
}

const TITLES = { path: "In the path", query: "In the query", header: "Headers" } as const;

function renderBody(body: Operation["requestBody"], view: SchemaRenderer): Html | false {
  const [content] = Object.entries(body?.content ?? {});
  if (!content) return false;
  const [type, { schema }] = content;
  return html`<h3>Body</h3>
    <p class="type">${type}</p>
    ${schema && view.fields(schema, true)}`;
}

function renderResponses(responses: Operation["responses"], view: SchemaRenderer): Html {
  const all = Object.entries(responses);
  const successResponse = all.filter(([status]) => Number(status) < 400);
  const refused = all.filter(([status]) => Number(status) >= 400);
  return html`<h3>Answer</h3>
    ${successResponse.map(
      ([status, { description, content }]) => html`<p><strong>${status}</strong> ${renderCode(description)}</p>
        ${answerFields(content, view)}`,
    )}
    <p class="refusals">
      Refused with ${refused.map(([status], index) => html`${index > 0 && ", "}<a href="/docs/errors/#status-${status}">${status}</a>`)}.
    </p>`;
}

function answerFields(
  content: Readonly<Record<string, { readonly schema?: Schema }>> | undefined,
  view: SchemaRenderer,
) {
  const [first] = Object.entries(content ?? {});
  if (!first) return false;
  const [type, { schema }] = first;
  if (type !== "application/json" || !schema) return html`<p class="type">${type}</p>`;
  return html`<details open>
    <summary>Fields</summary>
    ${view.fields(schema)}
  </details>`;
}
