// Enables the development build, with examples that work with the demo. Must be imported before the routes.
Object.assign(globalThis, { DEVELOPMENT_BUILD: true });
