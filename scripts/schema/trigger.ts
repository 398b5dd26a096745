/** A trigger of the schema: its name, and the whole statement that makes it. */
export interface Trigger {
  readonly name: string;
  readonly sql: string;
}
