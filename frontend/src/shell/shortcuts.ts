// Every shortcut of the window, for the list behind F1.
import { m } from '../paraglide/messages';

export interface Shortcut {
  keys: string;
  does: string;
}

export function shortcuts(): { title: string; rows: Shortcut[] }[] {
  return [
    {
      title: m.keys_window(),
      rows: [
        { keys: 'Ctrl 1', does: m.view_chat() },
        { keys: 'Ctrl 2', does: m.view_library() },
        { keys: 'Ctrl 3', does: m.view_models() },
        { keys: 'Ctrl 4', does: m.view_lab() },
        { keys: 'Ctrl 5', does: m.view_settings() },
        { keys: 'Ctrl ,', does: m.view_settings() },
        { keys: 'Ctrl B', does: m.keys_sidebar() },
        { keys: 'F6', does: m.keys_regions() },
        { keys: 'Ctrl Shift P', does: m.palette() },
        { keys: 'F1', does: m.keys_list() },
        { keys: 'Ctrl +', does: m.keys_larger() },
        { keys: 'Ctrl -', does: m.keys_smaller() },
        { keys: 'Ctrl 0', does: m.keys_usual_size() },
      ],
    },
    {
      title: m.view_chat(),
      rows: [
        { keys: 'Ctrl N', does: m.keys_new() },
        { keys: 'Ctrl K', does: m.search_conversations() },
        { keys: 'F2', does: m.keys_rename() },
        { keys: 'Delete', does: m.keys_delete() },
        { keys: 'Ctrl I', does: m.keys_composer() },
        { keys: 'Enter', does: m.keys_ask() },
        { keys: 'Shift Enter', does: m.keys_line() },
        { keys: 'Esc', does: m.keys_stop() },
        { keys: 'Ctrl L', does: m.keys_edit_search() },
        { keys: 'Ctrl E', does: m.keys_evidence() },
        { keys: 'Alt E', does: m.keys_engine() },
        { keys: 'Alt M', does: m.keys_mode() },
        { keys: 'Alt O', does: m.keys_collection() },
        { keys: 'Alt Up', does: m.keys_previous_turn() },
        { keys: 'Alt Down', does: m.keys_next_turn() },
      ],
    },
    {
      title: m.keys_evidence_reader(),
      rows: [
        { keys: 'Space', does: m.keys_show_citation() },
        { keys: 'Enter', does: m.keys_open_citation() },
        { keys: 'P', does: m.pin_sentence() },
        { keys: 'O', does: m.keys_original() },
        { keys: 'N', does: m.next_mark() },
        { keys: 'Shift N', does: m.previous_mark() },
        { keys: 'Ctrl F', does: m.find_in_document() },
        { keys: 'F3', does: m.find_next() },
        { keys: 'Shift F3', does: m.find_previous() },
        { keys: 'Ctrl PageUp', does: m.previous_page() },
        { keys: 'Ctrl PageDown', does: m.next_page() },
        { keys: 'G', does: m.page_number() },
        { keys: 'C', does: m.contents() },
        { keys: 'T', does: m.show_as_text() },
        { keys: 'W', does: m.white_paper() },
        { keys: 'R', does: m.show_in_folder() },
        { keys: 'O', does: m.open_default_program() },
        { keys: 'Ctrl +', does: m.zoom_in() },
        { keys: 'Ctrl -', does: m.zoom_out() },
        { keys: 'Ctrl 0', does: m.fit_width() },
      ],
    },
    {
      title: m.view_library(),
      rows: [
        { keys: 'Space', does: m.keys_select_file() },
        { keys: 'Enter', does: m.keys_read_file() },
        { keys: 'R', does: m.keys_retry() },
        { keys: 'Delete', does: m.remove_from_library() },
        { keys: '/', does: m.filter_by_name() },
      ],
    },
  ];
}
