-- On what terms an account sells: holds of who pays at once.

-- How long what a visitor is about to pay is held, instead of hold_minutes.
ALTER TABLE settings ADD COLUMN payment_hold_minutes INTEGER NOT NULL DEFAULT 30 CHECK (payment_hold_minutes > 0);
