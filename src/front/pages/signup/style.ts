/** The style sheet of the sign-up pages: one column, light or dark as the reader prefers, nothing loaded. */
import { createHash } from 'node:crypto';

export const signupStyle = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f7; --sheet: #ffffff; --text: #1b2330; --quiet: #56606f; --line: #8a94a3;
  --accent: #1749b8; --on-accent: #ffffff; --fault: #a81818; --fault-ground: #fdf0ef; --code: #eef1f6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #11151b; --sheet: #1a2029; --text: #e8ecf2; --quiet: #a6b0be; --line: #6d7887;
    --accent: #8fb4ff; --on-accent: #0d1420; --fault: #ff9a90; --fault-ground: #34201f; --code: #11161e;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 2rem 1rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}
main {
  max-width: 38rem; margin: 0 auto; padding: 2rem; background: var(--sheet);
  border: 1px solid color-mix(in srgb, var(--line) 40%, transparent); border-radius: .75rem;
}
h1 { margin: 0 0 .75rem; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 1.75rem 0 .5rem; font-size: 1.125rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
.field { margin: 1.25rem 0 0; }
label { display: block; font-weight: 600; }
.hint { display: block; margin: 0 0 .375rem; color: var(--quiet); font-size: .9375rem; }
.fault { display: block; margin: 0 0 .375rem; color: var(--fault); font-weight: 600; }
input, textarea {
  display: block; width: 100%; padding: .625rem .75rem; font: inherit; color: inherit;
  background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem;
}
textarea { min-height: 6rem; resize: vertical; }
[aria-invalid="true"] { border-color: var(--fault); border-width: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none; }
.copy { display: flex; flex-wrap: wrap; gap: .75rem; align-items: stretch; margin: 0 0 1rem; }
.copy .key { flex: 1 1 16rem; margin: 0; }
.copy button { margin: 0; }
#copied:empty { display: none; }
button {
  margin: 1.5rem 0 0; padding: .75rem 1.5rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 0; border-radius: .5rem;
}
.summary {
  margin: 1.25rem 0; padding: 1rem 1.25rem; background: var(--fault-ground);
  border-left: 4px solid var(--fault); border-radius: .25rem;
}
.summary p, .summary ul { margin: 0; }
.summary ul { padding: 0 0 0 1.25rem; }
.key, pre {
  display: block; margin: 0 0 1rem; padding: .875rem 1rem; background: var(--code); border-radius: .5rem;
  font: .9375rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; user-select: all;
}
.key { font-size: 1.0625rem; font-weight: 600; border: 2px solid var(--accent); }
.quiet { margin: 1.25rem 0 0; color: var(--quiet); font-size: .9375rem; }
main > :last-child { margin-bottom: 0; }
ul { padding-left: 1.25rem; }
@media (max-width: 30rem) {
  body { padding: 0; background: var(--sheet); }
  main { padding: 1.5rem 1.125rem; border: 0; border-radius: 0; }
  button { width: 100%; }
}
`;

/** The content security policy allows this one inline style by its hash. */
export const signupStyleHash = `sha256-${createHash('sha256').update(signupStyle).digest('base64')}`;
