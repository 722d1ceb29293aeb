/** The charts, drawn by JupyterLab's own renderer of Vega-Lite. */

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { h } from '../../panel/dom';
import type { Statistics } from './served';

const VEGA_LITE = 'application/vnd.vegalite.v5+json';
const SCHEMA = 'https://vega.github.io/schema/vega-lite/v5.json'; // a name, which nothing fetches
const OPTIONS = { actions: false, renderer: 'svg', config: { background: 'transparent' } };

/** Puts the charts into `place`, which is in the page: they are as wide as there is room. */
export async function drawCharts(
  place: HTMLElement,
  charts: Statistics['charts'],
  rendermime: IRenderMimeRegistry
): Promise<void> {
  if (!rendermime.mimeTypes.includes(VEGA_LITE)) {
    place.replaceChildren(h('p', '', 'This JupyterLab draws no charts: its Vega extension is switched off.'));
    return;
  }
  place.replaceChildren();
  for (const { title, spec } of charts) {
    const renderer = rendermime.createRenderer(VEGA_LITE);
    place.append(h('figure', 'rx-chart', h('figcaption', '', title), renderer.node));
    const metadata = { [VEGA_LITE]: { embed_options: OPTIONS } };
    const data = { [VEGA_LITE]: { ...spec, $schema: SCHEMA } } as never;
    await renderer.renderModel(rendermime.createModel({ data, metadata, trusted: true }));
  }
}
