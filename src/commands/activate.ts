/** `lei activate ID`: makes a sealed publication the active one. */
import { layout as layoutOf } from '../publication/layout.ts';
import { activate } from './activation.ts';
import { command } from './frame.ts';

export function activateCommand() {
  return command('activate', 'activate a publication', async (context, [id = '']) => {
    const { served } = await activate(layoutOf(context.config.dataDir), id);
    context.result(
      { publication: { id, datasetVersion: id, active: true }, served },
      `Publication ${id} is active${served ? ', and served' : ''}.`,
    );
  }).argument('<id>', 'id (dataset version) of the publication, as lei publications lists it');
}
