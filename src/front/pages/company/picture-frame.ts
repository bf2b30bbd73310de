/**
 * Reserves the place of the picture, which the script fills. Without scripts it is hidden, and the lists below have the
 * same content.
 */
import { type Html, html } from '../html.ts';
import type { Place } from './parts.ts';

const tools = [
  ['in', '+', 'Zoom in'],
  ['out', '−', 'Zoom out'],
  ['fit', 'Fit', 'Fit the whole picture into view'],
  ['more', 'Show all', 'Show all companies that the picture can hold'],
  ['svg', 'SVG', 'Save the picture as SVG'],
  ['png', 'PNG', 'Save the picture as PNG'],
] as const;

export function pictureFrame({ basePath }: Place, lei: string, name: string): Html {
  const buttons = tools.map(
    ([tool, text, title]) =>
      html`<button type="button" class="second small" data-tool="${tool}" title="${title}" aria-label="${title}">${text}</button>\n`,
  );
  return html`<div class="picture" data-picture data-lei="${lei}" data-companies="${basePath}/company" hidden>
<div class="tools" role="group" aria-label="Picture">
${buttons}</div>
<div class="stage" tabindex="0" role="application" aria-roledescription="picture" aria-label="Picture of the ownership of ${name}" aria-describedby="picture-help"></div>
<div class="chosen-company" role="status">
<a href="${basePath}/company/${lei}"></a>
<span class="chosen-facts"></span>
<button type="button" class="second small chosen-below" data-tool="below" hidden></button>
</div>
<p class="said" role="status"></p>
<ul class="legend" aria-label="Lines">
<li class="direct">directly owned</li>
<li class="ultimate">ultimately owned, or not reported</li>
<li class="fund">fund</li>
<li class="branch">branch</li>
</ul>
<p class="quiet" id="picture-help"><span class="by-keys">Arrow keys move from company to company, Enter shows or hides the companies below, O opens the page of a company, plus and minus zoom, M shows all. Hold Ctrl and turn the wheel to zoom.</span> Drag to move the picture; on a touch screen, use two fingers.</p>
</div>`;
}
