-- Who has another password or address by now, or none any more, is not let in by a link that was mailed before: whoever reads the old mailbox had it.
CREATE TRIGGER users_outlive_links AFTER UPDATE OF password_hash, email, active ON users
WHEN NEW.password_hash <> OLD.password_hash OR NEW.email <> OLD.email OR NEW.active < OLD.active
BEGIN
  DELETE FROM password_resets WHERE user_id = NEW.id;
END;
