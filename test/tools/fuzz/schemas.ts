/** Part of JSON schema used by the documents. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly example?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Schemas of a document by name. */
export type Schemas = Readonly<Record<string, Schema>>;

/** Resolves a schema reference. */
export function resolveSchema(schema: Schema, schemas: Schemas): Schema {
  return schema.$ref ? resolveSchema(schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}, schemas) : schema;
}

/** Lists deviations of a response from its schema. Undocumented members count too. Empty if it matches. */
export function listMismatches(schema: Schema, value: unknown, schemas: Schemas, at = ""): readonly string[] {
  const { anyOf, oneOf, ...real } = resolveSchema(schema, schemas);
  // Anything at all.
  if (Object.keys(schema).length === 0) return [];
  const choices = anyOf ?? oneOf;
  if (choices) return findChoiceMismatches(choices, value, schemas, at);
  const own = findValueMismatches(real, value, at);
  if (own.length > 0) return own;
  if (Array.isArray(value)) return findItemMismatches(real, value, schemas, at);
  return typeof value === "object" && value !== null
    ? findMemberMismatches(real, value as Readonly<Record<string, unknown>>, schemas, at)
    : [];
}

function findChoiceMismatches(choices: readonly Schema[], value: unknown, schemas: Schemas, at: string) {
  const choiceMismatches = choices.map((choice) => listMismatches(choice, value, schemas, at));
  return (
    choiceMismatches.find((item) => item.length === 0) ??
    choiceMismatches.toSorted((a, b) => a.length - b.length)[0] ??
    []
  );
}

function findValueMismatches(schema: Schema, value: unknown, at: string): readonly string[] {
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length > 0 && !types.some((type) => hasSchemaType(type, value)))
    return [`${at}: is no ${types.join(" or ")}`];
  if (schema.const !== undefined && value !== schema.const) return [`${at}: is not ${schema.const}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${at}: is none of ${schema.enum.join(", ")}`];
  if (schema.pattern && typeof value === "string" && !new RegExp(schema.pattern, "u").test(value))
    return [`${at}: does not look like ${schema.pattern}`];
  return [];
}

/** Whether a value has a schema type. */
export function hasSchemaType(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function findItemMismatches(
  { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Schema,
  values: readonly unknown[],
  schemas: Schemas,
  at: string,
) {
  if (values.length < minItems || values.length > maxItems) return [`${at}: has ${values.length} items`];
  return values.flatMap((value, index) => listMismatches(items, value, schemas, `${at}[${index}]`));
}

function findMemberMismatches(
  { properties = {}, additionalProperties = false, required = [] }: Schema,
  members: Readonly<Record<string, unknown>>,
  schemas: Schemas,
  at: string,
) {
  const rest = additionalProperties === true ? {} : additionalProperties;
  return [
    ...required.filter((name) => !(name in members)).map((name) => `${at}.${name}: is missing`),
    ...Object.entries(members).flatMap(([name, value]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : rest;
      return schema ? listMismatches(schema, value, schemas, `${at}.${name}`) : [`${at}.${name}: is not described`];
    }),
  ];
}
