// The pictures of the guide in docs/guide.md, taken with the views that they show.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The picture of the guide for each view that the guide shows. */
export const guide = {
  '01-chat': 'chat',
  '02-failed-rewrite': 'failed-rewrite',
  '02-stopped': 'stopped',
  '03-library': 'library',
  '03-attention': 'attention',
  '04-models': 'models',
  '05-lab': 'lab',
  '06-reader': 'reader',
  '07-first-start': 'first-start',
  '08-settings': 'settings',
  '12-commands': 'commands',
  '16-options': 'options',
  '18-privacy': 'privacy',
  '18-programs': 'programs',
  '18-data': 'data',
  '19-layers': 'layers',
};

/** Writes the picture of a view as WebP, which is a third of the PNG. */
export async function guidePicture(page, view, folder) {
  const name = guide[view];
  if (!name) return;
  await mkdir(folder, { recursive: true });
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
  await session.detach();
}
