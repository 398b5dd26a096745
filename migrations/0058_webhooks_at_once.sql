-- An address that is put in use again, or is another one, is told at once what waits, however late it was to be tried.
DROP TRIGGER webhooks_begin_anew;
CREATE TRIGGER webhooks_begin_anew AFTER UPDATE OF active, url ON webhooks WHEN NEW.url <> OLD.url OR (NEW.active = 1 AND OLD.active = 0)
BEGIN
  DELETE FROM webhook_states WHERE webhook_id = NEW.id;
  UPDATE webhook_deliveries SET next_at = min(next_at, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE webhook_id = NEW.id AND state = 'waiting';
END;
