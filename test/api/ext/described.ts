/** Asks the operations below /ext/v1 of a real service, and checks every answer against their description. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { startTestService, type TestService } from '../../support/service.ts';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly example?: object }>>;
  readonly $ref?: string;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name?: string;
    readonly required?: boolean;
    readonly example?: string;
  }[];
  readonly responses: Readonly<Record<string, Content>>;
}
export interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Content>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

/** The example of the 200 response. */
export function exampleOf({ responses }: Operation) {
  return JSON.parse(JSON.stringify(responses['200']?.content?.['application/json']?.example));
}

/** A body without what differs between two services with the same data. */
export function steady(body: unknown, baseUrl: string): unknown {
  const text = JSON.stringify(body).replaceAll(baseUrl, 'https://lei.example');
  const steadyText = text.replace(/(\d{8}T\d{6}Z)-[0-9a-f]{8}/g, '$1-a51821a7');
  return JSON.parse(steadyText.replace(/"next":"[^"]+"/, '"next":"a cursor"'));
}

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** The searches that a caller has left in a minute, as an answer says. */
export function searchesLeft({ headers }: Asked): number {
  return Number(/"search";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
}

export interface DescribedService {
  readonly service: TestService;
  readonly description: Description;
  /** Throws if the body does not match the description. */
  ask(path: string, init?: RequestInit): Promise<Asked>;
}

export async function startDescribed(
  environment: Readonly<Record<string, string>> = {},
  dataDir?: string,
): Promise<DescribedService> {
  const service = await startTestService({ environment, ...(dataDir === undefined ? {} : { dataDir }) });
  const description: Description = JSON.parse(await (await service.fetch('/ext/openapi.json')).text());
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats(ajv);
  ajv.addSchema(exactly(description), 'description');
  return {
    service,
    description,
    async ask(path, init) {
      const response = await service.fetch(path, init);
      const text = await response.text();
      const { status, headers } = response;
      if (text === '') return { status, headers, body: null };
      const body = JSON.parse(text);
      const schema = contentOf(description, path, response).schema;
      const absolute = JSON.stringify(exactly(schema)).replaceAll('"#/', '"description#/');
      const validate = ajv.compile(JSON.parse(absolute));
      if (!validate(body)) throw new Error(`${path}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
      return { status, headers, body };
    },
  };
}

function contentOf(description: Description, path: string, { status, headers }: Response) {
  const [bare = ''] = path.split('?');
  const matches = (template: string) =>
    new RegExp(`^${template.replace(/\{[a-z]+\}/g, '[^/]+')}$`).test(bare);
  const operation = Object.entries(description.paths).find(([template]) => matches(template))?.[1].get;
  const named = operation?.responses[String(status)];
  const response = named?.$ref === undefined ? named : referred(description, named.$ref);
  const content = response?.content?.[headers.get('content-type') ?? ''];
  if (content === undefined) throw new Error(`${path} is not described as answered ${status}.`);
  return content;
}

function referred({ components }: Description, reference: string): Content | undefined {
  return components.responses[reference.split('/').at(-1) ?? ''];
}

/** The description leaves room for members of later versions; this version must send none that it does not describe. */
export function exactly<T extends object>(described: T): T {
  return JSON.parse(JSON.stringify(described), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'type' in value && 'properties' in value
      ? { ...value, additionalProperties: false }
      : value,
  );
}
