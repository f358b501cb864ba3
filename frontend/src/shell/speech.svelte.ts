// The language in which the program says its sentences: told to it before it is
// asked for anything, and again when the person changes the language.
import type { Backend } from '../api';
import { language } from '../text/locale.svelte';

/** What shows sentences of the program and can ask for them anew. */
interface Speaking {
  sayAgain(): Promise<void>;
}

/**
 * Tells the language now; the result is kept when it was told. After each change
 * all parts ask anew for what was said in the other language. Called while a
 * component is made.
 */
export function speak(
  backend: Pick<Backend, 'setLanguage' | 'windowReady'>,
  parts: readonly Speaking[],
): Promise<void> {
  let told = language.current;
  const tell = () => backend.setLanguage(told).catch(() => undefined);
  $effect(() => {
    if (language.current === told) return;
    told = language.current;
    void tell().then(() => {
      for (const part of parts) void part.sayAgain();
      void backend.windowReady().catch(() => undefined); // library and status follow
    });
  });
  return tell();
}
