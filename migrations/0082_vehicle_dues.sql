-- What a vehicle is due for: its inspection, the end of its insurance, its service by a day or by its kilometres.
ALTER TABLE vehicles ADD COLUMN inspection_due TEXT CHECK (inspection_due IS date(inspection_due));
ALTER TABLE vehicles ADD COLUMN insured_until TEXT CHECK (insured_until IS date(insured_until));
ALTER TABLE vehicles ADD COLUMN service_due TEXT CHECK (service_due IS date(service_due));
ALTER TABLE vehicles ADD COLUMN service_due_units INTEGER CHECK (service_due_units >= 0);
-- The first of its days, and how many kilometres are left.
CREATE INDEX vehicles_due ON vehicles (min(coalesce(inspection_due, '9999'), coalesce(insured_until, '9999'), coalesce(service_due, '9999')))
  WHERE active = 1 AND coalesce(inspection_due, insured_until, service_due) IS NOT NULL;
CREATE INDEX vehicles_due_by_units ON vehicles (service_due_units - usage_units) WHERE active = 1 AND service_due_units IS NOT NULL;
