-- What only a person can annul, on the ministry's own pages, is said by a word that every language has a sentence for.
UPDATE communications SET error = 'to_annul_by_hand' WHERE state = 'refused' AND error LIKE 'to be annulled on the ministry''s own pages%';
