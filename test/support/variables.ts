/** Sets variables of the test's own environment; undefined removes one. @returns a function that restores them */
export function setVariables(variables: Readonly<Record<string, string | undefined>>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  for (const [name, value] of Object.entries(variables)) set(name, value);
  return () => {
    for (const [name, value] of before) set(name, value);
  };
}

function set(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
