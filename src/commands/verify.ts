/** `lei verify [ID]`: checks a publication from its bytes to its last record. */
import { verifySealed } from '../loader/command/verify/verify-sealed.ts';
import { chosenId } from './chosen-publication.ts';
import { CommandFailure, command } from './frame.ts';

export function verifyCommand() {
  return command('verify', 'check a publication: digests, counts, every record', async (context, [given]) => {
    const { layout } = context;
    const id = chosenId(layout, given);
    const verification = await verifySealed(layout, id, (phase) => context.say(`Checking ${phase} …`));
    const { sound, problems, checked } = verification;
    if (!sound) throw new CommandFailure('not-sound', [`Publication ${id} is not sound:`, ...problems]);
    const total = Object.values(checked).reduce((sum, count) => sum + count, 0);
    context.result(verification, `Publication ${id} is sound (${total.toLocaleString('en')} items checked).`);
  }).argument('[id]', 'id of the publication (default: the active one)');
}
