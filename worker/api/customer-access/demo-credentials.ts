/** Credentials of a demo user, so that the example in the OpenAPI document works in development. */
export const demoCredentials = { username: "staff@acme.test", password: "Staff-acme-2026!" };
