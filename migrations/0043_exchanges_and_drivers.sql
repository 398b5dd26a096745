-- How a simplified invoice becomes a full one: taken back by a credit note and invoiced anew (R5 and F1), or replaced by a
-- full one that names it (F3) (docs/interfaces/documents.md).
ALTER TABLE settings ADD COLUMN simplified_exchange TEXT NOT NULL DEFAULT 'credit_note' CHECK (simplified_exchange IN ('credit_note', 'replacement'));

-- The full invoice that stands in place of a simplified one: of the two it alone is counted and paid.
ALTER TABLE documents ADD COLUMN replaced_by_document_id INTEGER REFERENCES documents (id);
CREATE INDEX documents_by_replacement ON documents (replaced_by_document_id) WHERE replaced_by_document_id IS NOT NULL;

-- Once, and whole: what a note has taken back, or another one replaced, is not replaced; and what was replaced is not credited.
CREATE TRIGGER documents_are_replaced_once BEFORE UPDATE OF replaced_by_document_id ON documents
BEGIN
  SELECT RAISE(ABORT, 'credit_exceeds')
  WHERE OLD.replaced_by_document_id IS NOT NULL OR OLD.form IS NOT 'simplified' OR OLD.invoice_status <> 'invoice'
    OR NOT EXISTS (SELECT 1 FROM documents AS full WHERE full.id = NEW.replaced_by_document_id AND full.form = 'full'
      AND full.invoice_status = 'invoice' AND full.company_id = OLD.company_id AND full.booking_id IS OLD.booking_id)
    OR EXISTS (SELECT 1 FROM documents AS note WHERE note.corrects_document_id = OLD.id AND note.invoice_status = 'invoice');
END;
CREATE TRIGGER documents_replaced_are_not_credited BEFORE UPDATE OF invoice_status ON documents
WHEN OLD.invoice_status = 'draft' AND NEW.invoice_status = 'invoice' AND NEW.corrects_document_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'credit_exceeds') FROM documents AS firm
  WHERE firm.id = NEW.corrects_document_id AND firm.replaced_by_document_id IS NOT NULL;
END;

-- A communication has room for one additional driver: each further one is told by a part of its own, from 1.
ALTER TABLE communications ADD COLUMN part INTEGER NOT NULL DEFAULT 1 CHECK (part >= 1);
