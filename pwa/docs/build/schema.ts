import type { Schema } from "./documents.ts";
import { type Html, html, renderCode } from "./html.ts";

interface FieldDisplay {
  readonly isRequired: boolean;
  /** Whether the field belongs to a request. */
  readonly isAsked: boolean;
  readonly isOpen?: boolean;
  readonly description?: string | undefined;
}

/** Renders schema fields. Named schemas are shown once per page and linked. */
export class SchemaRenderer {
  private readonly named = new Set<string>();
  private readonly schemas: Readonly<Record<string, Schema>>;

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.schemas = schemas;
  }

  /** Renders the fields of an object or of list items. Request fields are marked if required. */
  fields(schema: Schema, isRequestBody = false): Html {
    const { of, isList } = this.listOf(this.plain(schema));
    if (of.$ref) return html`<p>${isList && "A list of "}${this.link(of)}</p>`;
    const alternatives = of.oneOf ?? of.anyOf;
    if (alternatives)
      return html`<ul class="fields">
        ${alternatives.map((alternative) => html`<li><span class="type">${this.type(alternative)}</span>${this.inside(alternative, isRequestBody)}</li>`)}
      </ul>`;
    const properties = Object.entries(of.properties ?? {});
    if (properties.length === 0) return html`<p class="type">${this.type(schema)}</p>`;
    const required = new Set(of.required);
    return html`${isList && html`<p>A list of:</p>`}
      <ul class="fields">
        ${properties.map(([name, schema]) => this.field(name, schema, { isRequired: isRequestBody && required.has(name), isAsked: isRequestBody, isOpen: properties.length === 1 }))}
      </ul>`;
  }

  /** Renders a field with its name, type and nested fields. */
  field(name: string, schema: Schema, visited: FieldDisplay): Html {
    const { isRequired, isAsked, isOpen, description = schema.description } = visited;
    return html`<li>
      <code>${name}</code> <span class="type">${this.type(schema)}</span>
      ${isRequired && html`<span class="required">required</span>`}
      ${description && html`<p>${renderCode(description)}</p>`}${this.inside(schema, isAsked, isOpen)}
    </li>`;
  }

  /** Returns the example of a schema, or a generated one. */
  example(schema: Schema, depth = 0): unknown {
    if (schema.example !== undefined) return schema.example;
    if (schema.$ref) return this.example(this.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}, depth);
    const plain = this.plain(schema);
    if (plain !== schema) return this.example(plain, depth);
    const [first] = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((several) => several ?? []);
    return first ? this.example(first, depth) : this.exampleOfOne(schema, depth);
  }

  private exampleOfOne(schema: Schema, depth: number): unknown {
    if (schema.enum) return schema.enum[0];
    if (schema.properties) return this.exampleObject(schema.properties, depth);
    if (schema.items) return depth > DEEPEST ? [] : [this.example(schema.items, depth + 1)];
    return schema.const ?? plainExample(schema);
  }

  private exampleObject(properties: Readonly<Record<string, Schema>>, depth: number): unknown {
    if (depth > DEEPEST) return {};
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, this.example(schema, depth + 1)] as const),
    );
  }

  /** Renders the linked named schemas, including nested ones, with their fields. */
  objects(): readonly Html[] {
    const visited = new Set<string>();
    const nestedSchemas: (readonly [string, Html])[] = [];
    for (let next = this.nextOf(visited); next !== undefined; next = this.nextOf(visited)) {
      visited.add(next);
      nestedSchemas.push([next, this.fields(this.schemas[next] ?? {})]);
    }
    return nestedSchemas
      .sort(([text], [other]) => text.localeCompare(other))
      .map(
        ([name, fields]) => html`<section class="object" id="object-${name}">
          <h3><a href="#object-${name}">${name}</a></h3>
          ${fields}
        </section>`,
      );
  }

  private nextOf(visited: ReadonlySet<string>): string | undefined {
    return [...this.named].find((name) => !visited.has(name));
  }

  private inside(schema: Schema, isRequestBody: boolean, isOpen = false): Html | false {
    const { of } = this.listOf(this.plain(schema));
    if (of.$ref || !(of.properties || of.oneOf || of.anyOf)) return false;
    return html`<details${isOpen && html` open`}>
      <summary>Its fields</summary>
      ${this.fields(of, isRequestBody)}
    </details>`;
  }

  // Reduces "type or null" to the type.
  private plain(schema: Schema): Schema {
    const several = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    const real = several?.filter(({ type }) => type !== "null");
    const [only] = real ?? [];
    return only && real?.length === 1 ? only : schema;
  }

  private listOf(schema: Schema): { readonly of: Schema; readonly isList: boolean } {
    const isList = schema.items !== undefined;
    return { of: schema.items ? this.plain(schema.items) : schema, isList };
  }

  private link({ $ref = "" }: Schema): Html {
    const name = $ref.split("/").at(-1) ?? "";
    this.named.add(name);
    return html`<a href="#object-${name}">${name}</a>`;
  }

  private type(schema: Schema): Html {
    if (schema.$ref) return this.link(schema);
    const several = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (several)
      return html`${joined(
        several.map((schema) => this.type(schema)),
        " or ",
      )}`;
    if (schema.const !== undefined) return html`always ${JSON.stringify(schema.const)}`;
    if (schema.enum)
      return html`${joined(
        schema.enum.map((item) => html`<code>${JSON.stringify(item)}</code>`),
        " or ",
      )}`;
    const types = [schema.type ?? "any"].flat().map((type) => (type === "array" ? this.list(schema) : html`${type}`));
    return html`${joined(types, " or ")}${formatLimits(schema)}`;
  }

  private list({ items }: Schema): Html {
    return items ? html`list of ${this.type(items)}` : html`list`;
  }
}

const DEEPEST = 5;
const BY_FORMAT: Readonly<Record<string, string>> = {
  date: "2030-06-10",
  "date-time": "2030-06-10T10:00:00Z",
  email: "ana@example.com",
};

function plainExample({ type, format = "", pattern = "" }: Schema): unknown {
  const [kind] = [type ?? "null"].flat();
  if (kind === "integer" || kind === "number") return 1;
  if (kind === "boolean") return true;
  if (kind === "array") return [];
  if (kind === "object") return {};
  if (kind !== "string") return null;
  return BY_FORMAT[format] ?? (/\[01\]|\\d:/.test(pattern) ? "10:00" : /\\d/.test(pattern) ? "120.00" : "…");
}

function joined(parts: readonly Html[], between: string): readonly (Html | string)[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [between, part]));
}

function formatLimits(schema: Schema): string {
  const { format, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const isUnboundedInteger = Number.isSafeInteger(maximum) && maximum === Number.MAX_SAFE_INTEGER;
  const limits = [
    format,
    formatRange(
      minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum,
      isUnboundedInteger ? undefined : maximum,
      "",
    ),
    formatRange(minLength, maxLength, " characters"),
    formatRange(minItems, maxItems, " of them"),
  ].filter((text) => text !== undefined);
  return limits.length > 0 ? ` · ${limits.join(" · ")}` : "";
}

function formatRange(from: number | undefined, to: number | undefined, unit: string): string | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (to === undefined) return from === 0 || from === 1 ? undefined : `${from}${unit} or more`;
  return from === undefined || from === 0 ? `up to ${to}${unit}` : `${from} to ${to}${unit}`;
}
