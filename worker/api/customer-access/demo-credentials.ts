/** Somebody of the demo, so that the example of the document works there. */
export const demoCredentials = { username: "staff@acme.test", password: "Staff-acme-2026!" };
