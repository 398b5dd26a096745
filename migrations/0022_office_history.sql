-- What the office did with what it keeps by lists and forms: who, when, what it was, what it is. The version of a thing is that of its last
-- entry, and 1 where it has none; two who change the same version write the same row, and the second is refused.
CREATE TABLE office_history (
  resource TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  move TEXT NOT NULL CHECK (move IN ('created', 'changed', 'removed', 'renamed')),
  detail TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail)),
  PRIMARY KEY (resource, resource_id, version)
) STRICT, WITHOUT ROWID;

-- A promotion code may be of one sales channel alone, as an offer may.
ALTER TABLE promotion_codes ADD COLUMN sales_channel_code TEXT REFERENCES sales_channels (code);
