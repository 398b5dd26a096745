-- Who imported: `staff:7` where somebody of the company did in the office, nothing where the command line did.
ALTER TABLE imports ADD COLUMN actor TEXT;
