// How far the first start is.
import type { Backend, LibraryState, ModelsState } from '../../api';
import { recall } from '../../ui/memory';

/** The step to do next: 1 models, 2 a folder, 3 a question. */
export function currentStep(
  models: ModelsState | null,
  library: LibraryState | null,
  indexed: number,
): 1 | 2 | 3 {
  if (indexed > 0) return 3;
  if ((library?.folders.length ?? 0) > 0) return 3;
  const hasModel = models?.roles.some((role) => role.role === 'answer' && role.name) ?? false;
  return hasModel ? 2 : 1;
}

/** Whether the window opens with the first start: nothing was ever added. */
export function isFirstStart(library: LibraryState, conversations: number): boolean {
  return library.folders.length === 0 && conversations === 0;
}

/** isFirstStart, asked of the program. The first start comes up once. */
export async function startsFirst(backend: Backend): Promise<boolean> {
  if (recall('start.done')) return false;
  try {
    const [library, conversations] = await Promise.all([backend.library(), backend.conversations()]);
    return isFirstStart(library, conversations.length);
  } catch {
    return false; // the views tell what is wrong
  }
}
