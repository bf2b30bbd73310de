/**
 * Compiles a function that processes every member of an object, once at start. The engine then knows the shape of the
 * object, which a loop over names hides from it (src/decisions/093). The names come from tables in the code, never from
 * a file.
 */

type CompiledReader<Given extends readonly unknown[]> = (...given: Given) => unknown;

/**
 * Makes an object of what its readers return.
 * @param names of the members, in order
 * @param readers one for each name; all are given the same three arguments
 */
export function compileObject<Given extends readonly [unknown, unknown, unknown]>(
  names: readonly string[],
  readers: readonly CompiledReader<Given>[],
): CompiledReader<Given> {
  const members = names.map((name, index) => `${JSON.stringify(name)}: f${index}(a, b, c)`);
  return compile(readers, `(a, b, c) => ({ ${members.join(', ')} })`);
}

/**
 * Makes a list of the converted members of an object and of the objects in it.
 * @param paths names that lead to each member
 * @param converters one for each path
 */
export function compileList<Item>(
  paths: readonly (readonly string[])[],
  converters: readonly ((value: unknown) => Item)[],
): (thing: unknown) => Item[] {
  return compile(converters, `(thing) => [${membersOf(paths).join(', ')}]`);
}

/** As {@link compileList}, but joins the texts. Without a list of them this takes less time. */
export function compileText(
  paths: readonly (readonly string[])[],
  converters: readonly ((value: unknown) => string)[],
  between: string,
): (thing: unknown) => string {
  return compile(converters, `(thing) => ${membersOf(paths).join(` + ${JSON.stringify(between)} + `)}`);
}

/** Each is the converted member at the end of a path from `thing`. */
function membersOf(paths: readonly (readonly string[])[]): string[] {
  return paths.map((path, index) => {
    const names = path.map((name) => `[${JSON.stringify(name)}]`);
    return `f${index}(thing${names.join('')})`;
  });
}

/** @param code an expression that may name the functions `f0`, `f1` and so on */
function compile(functions: readonly unknown[], code: string) {
  const parameters = functions.map((_, index) => `f${index}`);
  return new Function(...parameters, `return ${code};`)(...functions);
}
