import type { Immutable } from "#shared/immutable.ts";
import type { ResourceListMessage } from "#worker/api/office/resources/resource-messages.ts";

/** A record in the office API. Its other members are described by its resource in the domain. */
export type ResourceRecord = Readonly<Record<string, unknown>> &
  Pick<ResourceListMessage["data"][number], "id" | "version">;

/** Records that reference fields can name, by the name of the field. */
export type ResourceOptions = NonNullable<Immutable<ResourceListMessage>["options"]>;

/** List of a resource whose rows have known members. */
export type ResourceList<Row> = Omit<ResourceListMessage, "data"> & { readonly data: readonly Row[] };

/** Entry to save. Its members are the fields of its list, from which the server makes the message. */
export type ResourceValues = Readonly<Record<string, unknown>>;
