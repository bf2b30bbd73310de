/** Reads a name that stands in two scripts, beside or in brackets: "ООО Атлант / Atlant LLC", "Атлант (Atlant)". */
import { nameParts } from './name-terms.ts';
import { soundOf, transliterated } from './transliterate.ts';

const own = '[^\\p{Script=Latin}]*[^\\p{Script=Latin}\\P{L}][^\\p{Script=Latin}]*';
const latin = '\\p{Script=Latin}[\\p{Script=Latin}\\P{L}]*';
const ownFirst = new RegExp(`^(${own}?)[\\s/|(–-]+(${latin})$`, 'u');
const latinFirst = new RegExp(`^(${latin}?)[\\s/|(–-]+(${own})$`, 'u');

/** The name in each of the two scripts; none if it stands in one, or if they may be different words. */
export function namesInTwoScripts(text: string): readonly string[] {
  const first = ownFirst.exec(text);
  const second = latinFirst.exec(text);
  const [, one = '', other = ''] = first ?? second ?? [];
  if (one === '') return [];
  const [native, letters] = first === null ? [other, one] : [one, other];
  return soundAlike(native, letters) ? [native, letters].map((part) => part.trim().replace(/\)$/, '')) : [];
}

/** Whether most words of one name are heard in the other. */
function soundAlike(native: string, letters: string): boolean {
  const asked = soundsOf(nameParts(letters).core);
  return transliterated(nameParts(native).core.join(' '), null).some(({ text }) => {
    const heard = soundsOf(text.split(' '));
    const common = asked.filter((sound) => heard.includes(sound)).length;
    return common > 0 && 2 * common >= Math.max(asked.length, heard.length);
  });
}

function soundsOf(words: readonly string[]): readonly string[] {
  return words.map(soundOf).filter((sound) => sound.length > 1);
}
