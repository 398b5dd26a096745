-- What is blocked now or will be, whatever was blocked before.
CREATE INDEX item_blocks_by_end ON item_blocks (ends_at, booking_item_reference, starts_at);
