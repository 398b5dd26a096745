import type { Context } from "hono";
import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";

/** Language and company of a page for an address without a booking. */
export interface PageVisitor {
  readonly language: PlatformLanguage;
  readonly company: string;
}

/** Returns the visitor's language, or the company's if the browser asks for another, with the company's name. */
export async function readPageVisitor(c: Context<AppEnvironment>): Promise<PageVisitor> {
  const { accountName, defaultLanguage } = (await c.get("tenant").snapshot()).catalogue.settings;
  const preferred = c.req.header("Accept-Language")?.slice(0, 2).toLowerCase();
  return { language: pickPlatformLanguage(preferred, defaultLanguage), company: accountName };
}
