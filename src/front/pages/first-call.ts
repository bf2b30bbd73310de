/** Shows a first call in three languages, for the top of the API reference. docs/use-the-api.md has more of them. */
import { type Html, html } from './html.ts';

const path = '/api/v1/lei/529900K9B0N5BT694847';

/** Each program prints the name and the city of a company. */
function firstCalls(baseUrl: string) {
  return {
    curl: `curl ${baseUrl}${path}`,
    JavaScript: `const answer = await fetch('${baseUrl}${path}');
const { data } = await answer.json();
console.log(data.entity.legalName.name, data.entity.legalAddress.city);`,
    Python: `import json
from urllib.request import urlopen

with urlopen("${baseUrl}${path}") as answer:
    data = json.load(answer)["data"]
print(data["entity"]["legalName"]["name"], data["entity"]["legalAddress"]["city"])`,
  } as const;
}

export function firstCallHtml(baseUrl: string): Html {
  const examples = Object.entries(firstCalls(baseUrl)).map(
    ([language, program]) =>
      html`<h3>${language}</h3>\n<pre tabindex="0" aria-label="First call in ${language}"><code>${program}</code></pre>\n`,
  );
  return html`<section class="first-call" aria-labelledby="first-call">
<h2 id="first-call">First call</h2>
${examples}</section>`;
}
