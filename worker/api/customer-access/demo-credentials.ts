/** A demo user, so that the document's example works. */
export const demoCredentials = { username: "staff@acme.test", password: "Staff-acme-2026!" };
