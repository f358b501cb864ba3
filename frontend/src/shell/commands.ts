// What the command palette offers. Each command is also reachable another way.
import { m } from '../paraglide/messages';
import type { View } from './layout.svelte';

export interface Command {
  id: string;
  label: string;
  /** Its shortcut, as in the list of keys. */
  keys?: string;
  run: () => void;
}

/** What commands act on. */
export interface Commanded {
  go: (view: View) => void;
  newChat: () => void;
  findConversation: () => void;
  /** Null: no conversation is open. */
  conversation: { export: (kind: 'markdown' | 'json') => void } | null;
  /** Null: nothing runs. */
  stop: (() => void) | null;
  addFolder: () => void;
  addFiles: () => void;
  /** Reading files is paused. */
  paused: boolean;
  pause: () => void;
  sidebar: () => void;
  evidence: () => void;
  activity: (page: 'turns' | 'connections' | 'programs') => void;
  settings: (page: 'programs' | 'privacy' | 'data') => void;
  theme: (theme: 'light' | 'dark' | 'system') => void;
  keys: () => void;
}

export function commands(to: Commanded): Command[] {
  const list: Command[] = [
    { id: 'new', label: m.keys_new(), keys: 'Ctrl N', run: to.newChat },
    { id: 'find', label: m.search_conversations(), keys: 'Ctrl K', run: to.findConversation },
    { id: 'files', label: m.add_files(), run: to.addFiles },
    { id: 'folder', label: m.add_folder(), run: to.addFolder },
    { id: 'pause', label: to.paused ? m.command_resume() : m.command_pause(), run: to.pause },
  ];
  const { conversation, stop } = to;
  if (stop) list.unshift({ id: 'stop', label: m.keys_stop(), keys: 'Esc', run: stop });
  if (conversation) {
    list.push(
      { id: 'markdown', label: m.export_markdown(), run: () => conversation.export('markdown') },
      { id: 'json', label: m.export_json(), run: () => conversation.export('json') },
    );
  }
  const views: [View, string][] = [
    ['chat', m.view_chat()],
    ['library', m.view_library()],
    ['models', m.view_models()],
    ['lab', m.view_lab()],
    ['settings', m.view_settings()],
  ];
  views.forEach(([view, name], i) =>
    list.push({
      id: view,
      label: m.command_go({ view: name }),
      keys: `Ctrl ${i + 1}`,
      run: () => to.go(view),
    }),
  );
  list.push(
    { id: 'sidebar', label: m.command_sidebar(), keys: 'Ctrl B', run: to.sidebar },
    { id: 'evidence', label: m.command_evidence(), keys: 'Ctrl E', run: to.evidence },
    { id: 'turns', label: m.command_turns(), run: () => to.activity('turns') },
    { id: 'connections', label: m.command_connections(), run: () => to.activity('connections') },
    { id: 'programs', label: m.command_programs(), run: () => to.activity('programs') },
    { id: 'access', label: m.command_access(), run: () => to.settings('programs') },
    { id: 'privacy', label: m.command_privacy(), run: () => to.settings('privacy') },
    { id: 'data', label: m.command_data(), run: () => to.settings('data') },
    { id: 'light', label: m.command_light(), run: () => to.theme('light') },
    { id: 'dark', label: m.command_dark(), run: () => to.theme('dark') },
    { id: 'system', label: m.command_system(), run: () => to.theme('system') },
    { id: 'keys', label: m.keys_title(), keys: 'F1', run: to.keys },
    { id: 'about', label: m.about(), run: to.keys },
  );
  return list;
}
