import { defineConfig } from "@medusajs/framework/utils";

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env["DATABASE_URL"],
    http: { storeCors: "*", adminCors: "*", authCors: "*", jwtSecret: "bench", cookieSecret: "bench" },
  },
  admin: { disable: true },
});
