/** Runs a collector of traces on loopback: receives OTLP over HTTP and decodes it, protobuf or JSON. */

export interface Span {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** '' for none. */
  readonly parentId: string;
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  /** 2 for a server. */
  readonly kind: number;
  readonly attributes: ReadonlyMap<string, string>;
  /** 2 for an error. */
  readonly status: number;
}

export interface Collector {
  readonly endpoint: string;
  /** Method, path and content type of the request. */
  readonly received: readonly string[];
  readonly spans: readonly Span[];
  stop(): Promise<void>;
}

export function startCollector(): Collector {
  const received: string[] = [];
  const spans: Span[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const type = request.headers.get('content-type') ?? '';
      const bytes = new Uint8Array(await request.arrayBuffer());
      received.push(`${request.method} ${new URL(request.url).pathname} ${type}`);
      spans.push(...(type === 'application/json' ? fromJson(bytes) : fromProtobuf(bytes)));
      return new Response(type === 'application/json' ? '{}' : new Uint8Array(), {
        headers: { 'Content-Type': type },
      });
    },
  });
  return { endpoint: `http://127.0.0.1:${server.port}`, received, spans, stop: () => server.stop(true) };
}

/** A message of protobuf: field number → its values, numbers as bigint and all else as bytes. */
class Message {
  readonly #fields = new Map<number, (bigint | Uint8Array)[]>();

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    const varint = (): bigint => {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = view.getUint8(at++);
        value |= BigInt(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
    };
    const take = (length: number) => {
      at += length;
      return bytes.subarray(at - length, at);
    };
    const readers: Readonly<Record<number, () => bigint | Uint8Array>> = {
      0: varint,
      1: () => new DataView(take(8).slice().buffer).getBigUint64(0, true),
      2: () => take(Number(varint())),
      5: () => BigInt(new DataView(take(4).slice().buffer).getUint32(0, true)),
    };
    while (at < bytes.length) {
      const key = Number(varint());
      const read = readers[key & 7];
      if (read === undefined) throw new Error(`There is no wire type ${key & 7}.`);
      this.#fields.set(key >> 3, [...(this.#fields.get(key >> 3) ?? []), read()]);
    }
  }

  messages(field: number): readonly Message[] {
    return this.#bytes(field).map((bytes) => new Message(bytes));
  }
  text(field: number): string {
    return new TextDecoder().decode(this.#bytes(field)[0]);
  }
  hex(field: number): string {
    return Buffer.from(this.#bytes(field)[0] ?? []).toString('hex');
  }
  number(field: number): bigint {
    const [value = 0n] = this.#fields.get(field) ?? [];
    return typeof value === 'bigint' ? value : 0n;
  }
  has(field: number): boolean {
    return this.#fields.has(field);
  }
  #bytes(field: number): readonly Uint8Array[] {
    return (this.#fields.get(field) ?? []).filter((value) => typeof value !== 'bigint');
  }
}

/** Field numbers as in opentelemetry/proto/trace/v1/trace.proto. */
function fromProtobuf(bytes: Uint8Array): readonly Span[] {
  return new Message(bytes).messages(1).flatMap((resourceSpans) => {
    const service = attributesIn(resourceSpans.messages(1)[0], 1).get('service.name') ?? '';
    return resourceSpans
      .messages(2)
      .flatMap((scope) => scope.messages(2))
      .map((span) => ({
        service,
        traceId: span.hex(1),
        spanId: span.hex(2),
        parentId: span.hex(4),
        name: span.text(5),
        kind: Number(span.number(6)),
        start: span.number(7),
        end: span.number(8),
        attributes: attributesIn(span, 9),
        status: Number(span.messages(15)[0]?.number(3) ?? 0n),
      }));
  });
}

function attributesIn(message: Message | undefined, field: number): ReadonlyMap<string, string> {
  const pairs = message?.messages(field) ?? [];
  return new Map(
    pairs.map((pair) => {
      const [value] = pair.messages(2);
      return [pair.text(1), value?.has(1) ? value.text(1) : String(value?.number(3) ?? '')];
    }),
  );
}

interface JsonAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}
interface JsonSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly JsonAttribute[];
  readonly status?: { readonly code?: number };
}
interface JsonExport {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly JsonAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly JsonSpan[] }[];
  }[];
}

function fromJson(bytes: Uint8Array): readonly Span[] {
  const sent: JsonExport = JSON.parse(new TextDecoder().decode(bytes));
  return sent.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        service: texts(resource.attributes).get('service.name') ?? '',
        traceId: span.traceId,
        spanId: span.spanId,
        parentId: span.parentSpanId ?? '',
        name: span.name,
        kind: span.kind,
        start: BigInt(span.startTimeUnixNano),
        end: BigInt(span.endTimeUnixNano),
        attributes: texts(span.attributes),
        status: span.status?.code ?? 0,
      })),
  );
}

function texts(attributes: readonly JsonAttribute[]): ReadonlyMap<string, string> {
  return new Map(
    attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue ?? '')]),
  );
}
