-- How the deposit of a contract was taken is read without its other charges.
CREATE INDEX charges_of_deposit ON charges (booking_id) WHERE source_doc = 'deposit_received';
