/**
 * Finds the namespaces of names. saxes can do this too, but resolves each name every time, which takes a quarter of its
 * time. Files declare their prefixes at the root, or the same ones in every record, so every name is resolved once
 * here.
 */
import { FileRefusal } from '../file-reader.ts';

export interface Name {
  /** Of the namespace; '' if it has none. */
  readonly uri: string;
  readonly local: string;
}

export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

/** The prefixes declared for an element, and the names resolved by them so far. */
interface Scope {
  readonly prefixes: ReadonlyMap<string, string>;
  readonly elements: Map<string, Name>;
  readonly attributes: Map<string, Name>;
  /** Scopes within it, by their declarations. */
  readonly inner: Map<string, Scope>;
}

function scopeOf(prefixes: ReadonlyMap<string, string>): Scope {
  return { prefixes, elements: new Map(), attributes: new Map(), inner: new Map() };
}

/** Scopes cached within one: files that declare something else in each record gain nothing from it. */
const innerMax = 64;
/** Names cached within one scope: the formats have under two hundred. */
const namesMax = 4096;
const colon = ':';
const declaration = 'xmlns';

export class XmlNames {
  #scope = scopeOf(
    new Map([
      ['', ''],
      ['xml', xmlNamespace],
    ]),
  );
  readonly #outer: Scope[] = [];

  /** Call it with the attributes of each opened element, before its names are resolved. */
  open(attributes: Readonly<Record<string, string>>): void {
    this.#outer.push(this.#scope);
    let declared = '';
    for (const name in attributes) {
      if (isDeclaration(name)) declared += `${name} ${attributes[name]}\n`;
    }
    if (declared !== '') this.#scope = this.#inner(declared, attributes);
  }

  /** Call it when the element closes. */
  close(): void {
    this.#scope = this.#outer.pop() ?? this.#scope;
  }

  /** @throws FileRefusal if the prefix is not declared */
  element(name: string): Name {
    return this.#resolved(this.#scope.elements, name, '');
  }

  #inner(declared: string, attributes: Readonly<Record<string, string>>): Scope {
    const known = this.#scope.inner.get(declared);
    if (known !== undefined) return known;
    const prefixes = new Map(this.#scope.prefixes);
    for (const name in attributes) {
      if (isDeclaration(name)) prefixes.set(name.slice(declaration.length + 1), attributes[name] ?? '');
    }
    const scope = scopeOf(prefixes);
    if (this.#scope.inner.size < innerMax) this.#scope.inner.set(declared, scope);
    return scope;
  }

  /** An attribute without a prefix is in no namespace. */
  attribute(name: string): Name {
    return this.#resolved(this.#scope.attributes, name, null);
  }

  #resolved(known: Map<string, Name>, name: string, defaultPrefix: string | null): Name {
    const found = known.get(name);
    if (found !== undefined) return found;
    const end = name.indexOf(colon);
    const prefix = end === -1 ? defaultPrefix : name.slice(0, end);
    const uri = prefix === null ? '' : this.#scope.prefixes.get(prefix);
    if (uri === undefined || end === 0)
      throw new FileRefusal(`is not well-formed XML: the prefix of ${name} is not declared`);
    const resolved = { uri, local: name.slice(end + 1) };
    if (known.size < namesMax) known.set(name, resolved);
    return resolved;
  }
}

/** Whether an attribute declares a namespace. */
export function isDeclaration(name: string): boolean {
  return (
    name.startsWith(declaration) && (name.length === declaration.length || name[declaration.length] === colon)
  );
}
