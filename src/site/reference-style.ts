/** Our style sheet over Swagger UI's: the page around it, contrasts, and more compact tables. */

export const referenceStyle = `
:root { color-scheme: light dark; }
html { background: #ffffff; color: #3b4151; }
html.dark-mode { background: #1c2022; color: #e4e6e6; }
body { background: none; color: inherit; }
#content { padding: 0; }
.wide .site > div { padding-inline: 20px; }
.reference-head, .first-call, noscript p { padding: 1rem 20px 0; }
h1 { margin: 0 0 .5rem; font-size: 2rem; line-height: 1.2; }
.reference-head p { margin: 0; }
.reference-head a, noscript a { color: var(--accent); }
.first-call h2 { margin: 0; font-size: 1.25rem; }
.first-call h3 { margin: .75rem 0 .25rem; font-size: 1rem; }
.first-call pre {
  margin: 0; padding: .75rem 1rem; overflow-x: auto; border-radius: .5rem; background: #eef1f6; color: #1b2330;
  font: .875rem/1.5 ui-monospace, monospace;
}
.dark-mode .first-call pre { background: #11161e; color: #e8ecf2; }
:focus-visible { outline: 3px solid #1749b8; outline-offset: 2px; }
.dark-mode :focus-visible { outline-color: #8fb4ff; }
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
