/** Defines a file or a page that never changes: finished bytes with their type. `front/http` sends it. */
export interface Page {
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}
