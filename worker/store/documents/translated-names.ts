const SOURCES = {
  booking_category: { table: "categories", key: "code" },
  extra: { table: "extras", key: "code" },
  transfer_point: { table: "transfer_points", key: "id" },
  transfer_extra: { table: "transfer_extras", key: "id" },
  supplement: { table: "transfer_supplements", key: "id" },
} as const;

/**
 * Returns SQL of an entry's names as JSON by language. The language of the account's own name is empty. `id` is SQL of
 * the entry's code or id.
 */
export function selectTranslatedNamesJson(entity: keyof typeof SOURCES, id: string): string {
  const { table, key } = SOURCES[entity];
  return `(SELECT json_group_object(language, text) FROM (SELECT '' AS language, name AS text FROM ${table} WHERE ${key} = ${id}
    UNION ALL SELECT language, text FROM translations WHERE entity = '${entity}' AND entity_id = CAST(${id} AS TEXT) AND field = 'name'))`;
}
