// The part of swagger-ui-dist that the page uses; it has no types of its own.
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface TriedRequest {
    url: string;
    method: string;
    body?: string;
    headers: Record<string, string>;
    /** Whether it reads the OpenAPI document itself. */
    loadSpec?: boolean;
  }
  interface Options {
    readonly url: string;
    readonly dom_id: string;
    readonly deepLinking: boolean;
    readonly docExpansion: "list" | "none";
    readonly validatorUrl: null;
    readonly requestInterceptor: (request: TriedRequest) => Promise<TriedRequest>;
  }
  export default function SwaggerUIBundle(options: Options): unknown;
}
