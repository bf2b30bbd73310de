/**
 * Our style sheet over Swagger UI's: its place in the page, type, contrasts, and more compact tables.
 *
 * The page has the common style. It is in a layer below Swagger UI's own sheet, and a second layer takes it back within
 * Swagger UI, whose sheet expects the browser's defaults.
 */
import { assetAddress } from './assets.ts';

export function referenceStyle(): string {
  const imported = ['style.css', 'guide.css'].map(
    (name) => `@import url("..${assetAddress(name)}") layer(page);\n`,
  );
  return `@layer page, untouched;\n${imported.join('')}${style}`;
}

const style = `
@layer untouched { .swagger-ui :where(:not(svg, svg *)) { all: revert; } }
.first-call { margin: 0 0 var(--space-5); }
.first-call details { margin: 0 0 var(--space-2); }
#reference { margin: 0 0 var(--space-5); }
.swagger-ui, .swagger-ui :not(code, code *, pre, pre *, .opblock-summary-path *, .opblock-summary-path) { font-family: var(--sans) !important; }
.swagger-ui, .swagger-ui .opblock-tag, .swagger-ui .info .title { color: var(--ink); }
.swagger-ui .wrapper { max-width: none; padding: 0; }
.swagger-ui .information-container .info { margin: var(--space-5) 0; }
.swagger-ui .scheme-container { margin: var(--space-5) 0 0; padding: var(--space-4); background: var(--sheet); border: 1px solid var(--hair); border-radius: .75rem; box-shadow: none; }
.swagger-ui .opblock-tag { padding: var(--space-2) 0; font-size: var(--title-small); }
.swagger-ui .opblock { margin: 0 0 var(--space-3); box-shadow: none; }
.swagger-ui, .dark-mode .swagger-ui { background: none !important; }
.swagger-ui :is(.renderedMarkdown, .markdown) :is(code, pre) { color: inherit !important; background: var(--code) !important; font-weight: 400; }
.swagger-ui .auth-wrapper { margin-top: var(--space-2); }
:focus-visible { outline: 3px solid var(--accent) !important; outline-offset: 2px; }
.swagger-ui a, .swagger-ui .info a, .swagger-ui .info .base-url, .swagger-ui .info .url { color: #1749b8; }
.dark-mode .swagger-ui a, .dark-mode .swagger-ui .info a, .dark-mode .swagger-ui .info .url { color: #8fb4ff; }
.swagger-ui .info .title small, .swagger-ui .info .title small pre { background: #56606f; color: #ffffff; }
.swagger-ui .info .title small.version-stamp, .swagger-ui .info .title small.version-stamp pre { background: #3c6e00; }
.swagger-ui .btn.authorize { border-color: #1a7a4c; color: #1a7a4c; }
.swagger-ui .btn.authorize svg { fill: #1a7a4c; }
.dark-mode .swagger-ui .btn.authorize { border-color: #5fd39a; color: #5fd39a; }
.dark-mode .swagger-ui .btn.authorize svg { fill: #5fd39a; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1f5fae; color: #ffffff; }
.swagger-ui .btn.execute { background: #1749b8; border-color: #1749b8; color: #ffffff; }
.swagger-ui .download-contents { background: #56606f; color: #ffffff; }
.swagger-ui .btn.cancel { border-color: #a81818; color: #a81818; }
.dark-mode .swagger-ui .btn.cancel { border-color: #ff9a90; color: #ff9a90; }
.swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after { color: #a81818; }
.dark-mode .swagger-ui .parameter__name.required span, .dark-mode .swagger-ui .parameter__name.required::after { color: #ff9a90; }
.swagger-ui .parameter__in, .swagger-ui .parameter__type, .swagger-ui .response-control-media-type__accept-message,
.swagger-ui .prop-format, .swagger-ui .prop-type { color: #56606f; }
.swagger-ui .response-control-media-type__accept-message { color: #1a6e2e; }
.dark-mode .swagger-ui .parameter__in, .dark-mode .swagger-ui .parameter__type, .dark-mode .swagger-ui .prop-format,
.dark-mode .swagger-ui .prop-type { color: #b7bcbf; }
.dark-mode .swagger-ui .response-control-media-type__accept-message { color: #7fd68f; }
.dark-mode .swagger-ui .headers td, .dark-mode .swagger-ui .headers th, .dark-mode .swagger-ui .header-col,
.dark-mode .swagger-ui .response-col_status, .dark-mode .swagger-ui .response-col_links,
.dark-mode .swagger-ui .response-undocumented { color: #e4e6e6; }
.swagger-ui .highlight-code > .microlight { max-height: 14rem; min-height: 0; overflow-y: auto; background: #1c2022 !important; }
.swagger-ui .microlight span[style*="211, 99, 99"] { color: #ffa7a7 !important; }
.swagger-ui table.headers td, .swagger-ui table.headers th { padding: .125rem .75rem .125rem 0; vertical-align: top; }
.swagger-ui .headers .markdown p, .swagger-ui .headers .renderedMarkdown p { margin: 0; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .header-example, .swagger-ui .headers-wrapper h4 { margin: 0; }
`;
