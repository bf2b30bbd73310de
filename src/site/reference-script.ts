/**
 * The script of the API reference. It starts Swagger UI, in light or dark like the system, with the operations first and
 * what applies to all of them below. The page connects to this service only and stores nothing: no validator badge, no saved keys. Its requests go to the address that the page came
 * from, because a browser may be unable to reach the base URL (http://0.0.0.0:3000).
 */
export const referenceScript = `const description = new URL('openapi.json', location.href).href;
const server = { url: new URL('.', location.href).href.replace(/\\/$/, ''), description: 'This service' };
const reference = document.getElementById('reference');

for (const code of document.querySelectorAll('.first-call code'))
  code.textContent = code.textContent.replaceAll(reference.dataset.baseUrl, server.url);

const dark = matchMedia('(prefers-color-scheme: dark)');
const followSystem = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
followSystem();
dark.addEventListener('change', followSystem);

// Swagger UI leaves these without a name, or out of reach of the keyboard.
const names = [
  ['#servers', () => 'Server'],
  ['.information-container section', () => 'About the API'],
  ['.scheme-container', () => 'Server and key'],
  ['.models', () => 'Schemas'],
  ['.parameters-col_description select', (select) => select.closest('tr')?.dataset.paramName ?? 'Value'],
  ['select', () => 'Example'],
];
function mend() {
  for (const [selector, nameOf] of names)
    for (const element of reference.querySelectorAll(selector + ':not([aria-label])'))
      element.setAttribute('aria-label', nameOf(element));
  for (const element of reference.querySelectorAll('.scheme-container:not([role])')) element.setAttribute('role', 'region');
  for (const element of reference.querySelectorAll('pre.microlight:not([tabindex])')) element.tabIndex = 0;
  // A link within a button, which does the same.
  for (const link of reference.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
}
new MutationObserver(mend).observe(reference, { childList: true, subtree: true });

// The layout of Swagger UI while there is no description; then the same parts in another order.
const inOrder = ({ React: { createElement } }) => ({
  components: {
    OperationsFirst({ getComponent, specSelectors }) {
      const part = (name) => createElement(getComponent(name, true));
      if (specSelectors.loadingStatus() !== 'success') return part('BaseLayout');
      const among = (className, ...parts) => createElement('div', { className }, ...parts);
      return among(
        'swagger-ui',
        createElement(getComponent('SvgAssets')),
        createElement('h2', { className: 'unseen' }, 'Operations'),
        createElement('div', { id: 'operations' }, part('operations')),
        part('errors'),
        among('scheme-container', part('ServersContainer'), part('AuthorizeBtnContainer')),
        part('Models'),
        among('information-container', part('InfoContainer')),
      );
    },
  },
});

SwaggerUIBundle({
  plugins: [inOrder],
  layout: 'OperationsFirst',
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  responseInterceptor(response) {
    if (response.url === description)
      response.text = JSON.stringify({ ...JSON.parse(response.text), servers: [server] });
    return response;
  },
});
`;
