-- A second secret of the account: what phones seal waiting work with comes from it, by the number of its author.
CREATE TABLE account_secrets_anew (
  name TEXT PRIMARY KEY CHECK (name IN ('turnstile', 'work_seal')),
  sealed TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO account_secrets_anew (name, sealed) SELECT name, sealed FROM account_secrets;
DROP TABLE account_secrets;
ALTER TABLE account_secrets_anew RENAME TO account_secrets;
