import type { Page } from "playwright-core";

interface Opened<Answered> {
  readonly office: {
    ask(
      method: string,
      path: string,
      callOptions: { readonly token: string; readonly body?: unknown },
    ): Promise<Answered>;
  };
  readonly page: Page;
  readonly token: string;
}

/** Creates actions for the open page and direct office requests. */
export function createOfficePageActions<Answered>(opened: () => Opened<Answered>) {
  return {
    shows: (text: string | RegExp) => opened().page.getByText(text).first().waitFor(),
    press: (name: string | RegExp) => opened().page.getByRole("button", { name, exact: true }).click(),
    submit: () => opened().page.locator(".sheet [type=submit]").click(),
    ask: (method: string, path: string, body?: unknown) => {
      const { office, token } = opened();
      return office.ask(method, `/api/v1/office${path}`, { token, body });
    },
  };
}
