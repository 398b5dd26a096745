import type { Context } from "hono";
import { chooseVisitorLanguage, type PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";

/** Language and company of a page for an address without a booking. */
export interface PageVisitor {
  readonly language: PlatformLanguage;
  readonly company: string;
}

/** Chooses the language of the address, otherwise the browser's or the company's. */
export function choosePageLanguage(c: Context<AppEnvironment>, companyLanguage: string): PlatformLanguage {
  return chooseVisitorLanguage(c.req.query("lang"), c.req.header("Accept-Language"), companyLanguage);
}

/** Returns the visitor's language with the company's name. */
export async function readPageVisitor(c: Context<AppEnvironment>): Promise<PageVisitor> {
  const { accountName, defaultLanguage } = (await c.get("tenant").snapshot()).catalogue.settings;
  return { language: choosePageLanguage(c, defaultLanguage), company: accountName };
}
