// What a rendered text may do, handed down from the view that shows it.
import { createContext, type Snippet } from 'svelte';

export interface TextActions {
  /** Draws a citation; without it the marker is shown as text. */
  citation?: Snippet<[number]>;
  /** Called when a link is pressed; nothing is opened before a confirmation. */
  openLink: (address: string) => void;
}

export const [textActions, setTextActions] = createContext<TextActions>();
