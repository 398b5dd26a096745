// The routes are described as a development build has them: examples that work with the demo. Imported before them.
Object.assign(globalThis, { DEVELOPMENT_BUILD: true });
