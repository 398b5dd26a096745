-- What a search counts of the stock is remembered with this number and asked for again where it has moved: whatever changes what is taken, where a
-- vehicle belongs or when it stands still moves it, in the same transaction.
CREATE TABLE stock_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO stock_version (id, version) VALUES (1, 1);

CREATE TRIGGER stock_allocations_insert_moves_stock AFTER INSERT ON stock_allocations WHEN NEW.kind <> 'transfer'
BEGIN
  UPDATE stock_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER stock_allocations_update_moves_stock AFTER UPDATE ON stock_allocations WHEN NEW.kind <> 'transfer'
BEGIN
  UPDATE stock_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER stock_allocations_delete_moves_stock AFTER DELETE ON stock_allocations WHEN OLD.kind <> 'transfer'
BEGIN
  UPDATE stock_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER vehicle_blocks_insert_moves_stock AFTER INSERT ON vehicle_blocks
BEGIN
  UPDATE stock_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER vehicle_blocks_update_moves_stock AFTER UPDATE ON vehicle_blocks
BEGIN
  UPDATE stock_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER vehicle_blocks_delete_moves_stock AFTER DELETE ON vehicle_blocks
BEGIN
  UPDATE stock_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER vehicles_insert_moves_stock AFTER INSERT ON vehicles
BEGIN
  UPDATE stock_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER vehicles_update_moves_stock AFTER UPDATE OF reference, category_code, branch_group_id, active, assignable, sold_release_date ON vehicles
BEGIN
  UPDATE stock_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER vehicles_delete_moves_stock AFTER DELETE ON vehicles
BEGIN
  UPDATE stock_version SET version = version + 1 WHERE id = 1;
END;
