-- On what terms an account sells: holds of who pays at once, channels that anybody may name.

-- How long what a visitor is about to pay is held, instead of hold_minutes.
ALTER TABLE settings ADD COLUMN payment_hold_minutes INTEGER NOT NULL DEFAULT 30 CHECK (payment_hold_minutes > 0);

-- Whether anybody may name the channel; else only those whose own it is. Those of no agency were everybody's so far.
ALTER TABLE sales_channels ADD COLUMN is_public INTEGER NOT NULL DEFAULT 0 CHECK (is_public IN (0, 1));
UPDATE sales_channels SET is_public = 1
WHERE code NOT IN (SELECT sales_channel_code FROM agencies WHERE sales_channel_code IS NOT NULL);
