/** Descriptions of the fields and parameters of some documents, by key. */
export interface FieldDescriptions {
  readonly name: string;
  /**
   * By field (`status`), by field within another one (`products.code`), or with the schema or operation in front
   * (`Booking.status`, `Booking.products.code`). The longest key that fits wins.
   */
  readonly fields?: Readonly<Record<string, string>>;
  /** By parameter (`lang`) or by parameter of an operation (`showReport.name`). */
  readonly parameters?: Readonly<Record<string, string>>;
}

interface DescribedFields {
  readonly document: object;
  /** Fields and parameters without a description. */
  readonly undescribed: readonly string[];
  /** Descriptions that a field or parameter shows, by their names from `listTexts`. */
  readonly used: ReadonlySet<string>;
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

/** Fields that contain a whole resource, so that its fields are described as those of the resource. */
const WRAPPERS = new Set(["before", "after", "data"]);

/** Adds a description to each field and parameter that has none. The description of a schema itself is kept. */
export function describeFields(document: object, lists: readonly FieldDescriptions[]): DescribedFields {
  const describer = new FieldDescriber(lists);
  return {
    document: describer.describeDocument(document as Node),
    undescribed: describer.undescribed,
    used: describer.used,
  };
}

type Kind = "fields" | "parameters";

const nameText = (list: FieldDescriptions, kind: Kind, key: string) => `${list.name} ${kind} ${key}`;

/** Lists the descriptions of fields and parameters, each with its full name and key. */
export function listTexts(list: FieldDescriptions): readonly (readonly [name: string, key: string, text: string])[] {
  return (["fields", "parameters"] as const).flatMap((kind) =>
    Object.entries(list[kind] ?? {}).map(([key, text]) => [nameText(list, kind, key), key, text] as const),
  );
}

class FieldDescriber {
  readonly undescribed: string[] = [];
  readonly used = new Set<string>();
  private readonly lists: readonly FieldDescriptions[];

  constructor(lists: readonly FieldDescriptions[]) {
    this.lists = lists;
  }

  describeDocument(document: Node): Node {
    const { components, paths, webhooks } = document;
    return {
      ...document,
      ...(isNode(components) && { components: this.describeComponents(components) }),
      ...(isNode(paths) && { paths: this.describePaths(paths) }),
      ...(isNode(webhooks) && { webhooks: this.describePaths(webhooks) }),
    };
  }

  private describeComponents(components: Node): Node {
    const { schemas } = components;
    return isNode(schemas)
      ? { ...components, schemas: mapValues(schemas, (schema, name) => this.describeNode(schema, name, undefined)) }
      : components;
  }

  private describePaths(paths: Node): Node {
    return mapValues(paths, (methods) =>
      isNode(methods) ? mapValues(methods, (operation) => this.describeOperation(operation)) : methods,
    );
  }

  private describeOperation(operation: unknown): unknown {
    if (!isNode(operation)) return operation;
    const { parameters, ...parts } = operation;
    const root = String(operation["operationId"]);
    const described = mapValues(parts, (part) => this.describeNode(part, root, undefined));
    if (!Array.isArray(parameters)) return described;
    const withTexts = parameters.map((parameter) => this.describeParameter(parameter, root));
    // Keeps the order of the members.
    return mapValues(operation, (_, name) => (name === "parameters" ? withTexts : described[name]));
  }

  private describeParameter(parameter: unknown, root: string): unknown {
    if (!isNode(parameter) || parameter["description"]) return parameter;
    const { name, in: place, required, ...rest } = parameter;
    const schema = parameter["schema"];
    if (isNode(schema) && schema["description"]) return parameter;
    const description = this.find("parameters", [`${root}.${name}`, String(name)]);
    if (description === undefined) this.undescribed.push(`parameter ${name} of ${root}`);
    return description === undefined
      ? parameter
      : { name, in: place, ...(required !== undefined && { required }), description, ...rest };
  }

  private describeNode(node: unknown, root: string, parent: string | undefined): unknown {
    if (Array.isArray(node)) return node.map((item) => this.describeNode(item, root, parent));
    if (!isNode(node)) return node;
    return mapValues(node, (value, name) => {
      if (name === "properties" && isNode(value))
        return mapValues(value, (schema, field) => this.describeField(schema, field, root, parent));
      return name === "example" || name === "examples" ? value : this.describeNode(value, root, parent);
    });
  }

  private describeField(schema: unknown, field: string, root: string, parent: string | undefined): unknown {
    const inside = this.describeNode(schema, root, WRAPPERS.has(field) ? parent : field);
    if (!isNode(inside) || inside["description"]) return inside;
    const description = this.find("fields", listKeys(field, root, parent));
    if (description === undefined) this.undescribed.push([root, parent, field].filter(Boolean).join("."));
    return description === undefined ? inside : { ...inside, description };
  }

  private find(kind: Kind, keys: readonly string[]): string | undefined {
    for (const key of keys)
      for (const list of this.lists) {
        const text = list[kind]?.[key];
        if (text !== undefined) {
          this.used.add(nameText(list, kind, key));
          return text;
        }
      }
    return undefined;
  }
}

function listKeys(field: string, root: string, parent: string | undefined): readonly string[] {
  const roots = [root, ...listResources(root)];
  return parent === undefined
    ? [...roots.map((name) => `${name}.${field}`), field]
    : [...roots.map((name) => `${name}.${parent}.${field}`), `${parent}.${field}`, field];
}

/** Lists the resource that a history entry or the body of an operation contains. */
function listResources(root: string): readonly string[] {
  const [, entry] = /^(\w+)Entry$/.exec(root) ?? [];
  const [, resource] = /^(?:create|change)(\w+)$/.exec(root) ?? [];
  return [...(entry ? [entry] : []), ...(resource ? [`Office${resource}`] : [])];
}

const mapValues = (node: Node, change: (value: unknown, name: string) => unknown): Node =>
  Object.fromEntries(Object.entries(node).map(([name, value]) => [name, change(value, name)]));
