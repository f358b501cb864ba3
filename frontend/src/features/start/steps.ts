// How far the first start is.
import type { LibraryState, ModelsState } from '../../api';

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
