/** Acts as the browser that the account page needs: keeps the cookie, and sends the forms of the page. */

/** A key as pages and commands show it once. */
export const secretPattern = /lei_live_[A-Za-z0-9]{38}/;

type Fields = Readonly<Record<string, string>>;

/** Without a trailing slash. */
interface Site {
  readonly url: string;
  /** Of its forms; by default that of the URL. */
  readonly origin?: string;
}

export class SignedIn {
  readonly #served: Site;
  readonly #from: string | undefined;
  /** The value of the header; '' for none. */
  cookie = '';

  /** @param from address of the client, if the test is a trusted proxy */
  constructor(served: Site, from?: string) {
    this.#served = served;
    this.#from = from;
  }

  static async open(served: Site, secret: string): Promise<SignedIn> {
    const browser = new SignedIn(served);
    const { status } = await browser.signIn(secret);
    if (status !== 303) throw new Error(`Signing in was answered ${status}.`);
    return browser;
  }

  get id(): string {
    return this.cookie.slice('lei_session='.length);
  }

  signIn(key: string): Promise<Response> {
    return this.send({ action: 'sign-in', key });
  }

  get(path: string): Promise<Response> {
    return this.fetch(path, {});
  }

  async page(query = ''): Promise<string> {
    return (await this.get(`/account${query}`)).text();
  }

  /** The fields of the form on the page that makes this change, filled in. */
  async form(action: string, typed: Fields = {}): Promise<Fields> {
    const page = await this.page();
    const form = new RegExp(
      `name="action" value="${action}"><input type="hidden" name="form" value="([^"]+)"`,
    );
    const name = form.exec(page)?.[1];
    if (name === undefined) throw new Error(`The page has no form for ${action}.`);
    return { action, form: name, ...typed };
  }

  /** Sends a form of this page as a browser does, unless the headers say otherwise. */
  send(fields: Fields, headers: Fields = {}): Promise<Response> {
    const own = { Origin: this.#served.origin ?? this.#served.url, 'Sec-Fetch-Site': 'same-origin' };
    return this.fetch('/account', {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { ...own, ...headers },
    });
  }

  async fetch(path: string, init: RequestInit & { headers?: Fields }): Promise<Response> {
    const cookie: Fields = this.cookie === '' ? {} : { Cookie: this.cookie };
    const from: Fields = this.#from === undefined ? {} : { 'X-Forwarded-For': this.#from };
    const headers = { ...init.headers, ...cookie, ...from };
    const answer = await fetch(`${this.#served.url}${path}`, {
      ...init,
      redirect: 'manual',
      headers,
      // Each request may reach another front.
      keepalive: false,
    });
    const [set] = answer.headers.getSetCookie();
    if (set !== undefined) this.cookie = set.startsWith('lei_session=;') ? '' : (set.split(';')[0] ?? '');
    return answer;
  }
}
