-- The public key of a passkey is kept as the authenticator gave it (COSE, base64url). What was kept in another form before is
-- good for nothing: its person signs in with a recovery code, or is let in by an administrator.
DELETE FROM passkeys;
