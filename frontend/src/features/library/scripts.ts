// Names of the scripts that encodings are grouped by.
import type { Encoding, Script } from '../../api';
import { m } from '../../paraglide/messages';
import type { PickerOption } from '../../ui/Picker.svelte';

const names: Record<Script, () => string> = {
  unicode: m.script_unicode,
  western: m.script_western,
  central_european: m.script_central_european,
  nordic: m.script_nordic,
  celtic: m.script_celtic,
  southern: m.script_southern,
  romanian: m.script_romanian,
  baltic: m.script_baltic,
  cyrillic: m.script_cyrillic,
  greek: m.script_greek,
  turkish: m.script_turkish,
  hebrew: m.script_hebrew,
  arabic: m.script_arabic,
  thai: m.script_thai,
  vietnamese: m.script_vietnamese,
  japanese: m.script_japanese,
  chinese_simplified: m.script_chinese_simplified,
  chinese_traditional: m.script_chinese_traditional,
  korean: m.script_korean,
};

/** What can be chosen: first that the program finds out by itself, which is the empty value. */
export function encodingOptions(encodings: readonly Encoding[]): PickerOption[] {
  return [
    { value: '', label: m.encoding_automatic(), sentence: m.encoding_automatic_what() },
    ...encodings.map(({ name, script }) => ({ value: name, label: name, sentence: names[script]() })),
  ];
}
