// Takes a picture of every view in light and dark, compares where things stand
// with layout.txt, and runs axe. The pictures go to the folder named by SHOTS
// (default: a temporary folder), those of the guide also to the one named by
// GUIDE. With UPDATE the layout is recorded anew, with NO_AXE axe does not run.
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { guidePicture } from './guide.mjs';
import { differences, keep, measure, recorded } from './layout.mjs';
import { settled, start } from './page.mjs';
import { libraryShots } from './shots-library.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = process.env.SHOTS ?? (await mkdtemp(join(tmpdir(), 'referent-shots-')));
await mkdir(folder, { recursive: true });

const shots = {
  '01-chat': {
    async go(page) {
      await page.getByRole('button', { name: 'Notice period, open-ended lease', exact: true }).click();
      await page
        .getByRole('button', { name: /^Citation 1, Residential.*page 84$/ })
        .nth(2)
        .click();
    },
  },
  '02-failed-rewrite': {
    async go(page) {
      await page.getByRole('button', { name: 'Heat pump commissioning, block B', exact: true }).click();
      await page.getByRole('textbox', { name: 'Question' }).fill('And who signed that off?');
      await page.keyboard.press('Enter');
      await page.getByText(/tokens, 41\.2/).waitFor();
    },
  },
  '02-stopped': {
    options: { stopPolicy: true },
    async go(page) {
      await page.getByRole('button', { name: 'Heat pump commissioning, block B', exact: true }).click();
      await page.getByRole('textbox', { name: 'Question' }).fill('And who signed that off?');
      await page.keyboard.press('Enter');
      await page.getByText('No answer: the rewrite failed').waitFor();
    },
  },
  '03-library': {
    options: { indexing: true },
    async go(page) {
      await page.keyboard.press('Control+2');
      await page.getByRole('button', { name: /^Tenancy law/ }).click();
      await page.evaluate(() => {
        const data = new DataTransfer();
        data.items.add(new File([''], 'a.pdf'));
        document.body.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer: data }));
      });
      await page.getByText('Residential tenancy handbook').first().waitFor();
    },
  },
  '03-attention': {
    async go(page) {
      await page.keyboard.press('Control+2');
      await page.getByRole('button', { name: /^Needs attention/ }).click();
      await page.getByText('Settlement agreement').first().waitFor();
    },
  },
  ...libraryShots,
  '04-models': { go: (page) => page.keyboard.press('Control+3') },
  '05-lab': {
    async go(page) {
      await page.keyboard.press('Control+4');
      await page.getByRole('table').waitFor();
    },
  },
  '05-lab-new': {
    async go(page) {
      await page.keyboard.press('Control+4');
      await page.getByRole('button', { name: 'New run' }).click();
      await page.getByRole('button', { name: 'Start run' }).waitFor();
    },
  },
  '05-lab-compare': {
    async go(page) {
      await page.keyboard.press('Control+4');
      await page.getByRole('combobox', { name: 'Compare with' }).click();
      await page.getByRole('option').first().click();
      await page.getByText('74 better').waitFor();
    },
  },
  '05-lab-test': {
    async go(page) {
      await page.getByRole('button', { name: 'Notice period, open-ended lease', exact: true }).click();
      await page.getByRole('button', { name: 'More for And how long is it for tenants over 65?' }).click();
      await page.getByRole('menuitem', { name: 'Add to my tests' }).click();
      await page.getByRole('button', { name: 'Keep test' }).waitFor();
    },
  },
  '06-reader': {
    async go(page) {
      await page.getByRole('button', { name: 'Notice period, open-ended lease', exact: true }).click();
      const chip = page.getByRole('button', { name: /^Citation 1, Residential.*page 84$/ }).nth(2);
      await chip.focus();
      await page.keyboard.press('Enter');
      await page.getByText('7.4 Hardship').waitFor();
    },
  },
  '07-first-start': {
    options: { empty: true },
    go: (page) => page.getByText('Ask your own documents').waitFor(),
  },
  '08-settings': { go: (page) => page.keyboard.press('Control+5') },
  '09-empty-chat': { go: (page) => page.getByText('Try one of these').waitFor() },
  '09-picker': {
    async go(page) {
      await page.keyboard.press('Alt+e');
      await page.getByRole('option', { name: /^simple/ }).waitFor();
    },
  },
  '10-keys': { go: (page) => page.keyboard.press('F1') },
  '10-italian': {
    context: { locale: 'it-IT' },
    async go(page) {
      await page.getByRole('button', { name: 'Notice period, open-ended lease', exact: true }).click();
      await page.getByText('Confermata').first().waitFor();
    },
  },
  '12-commands': {
    async go(page) {
      await page.keyboard.press('Control+Shift+P');
      await page.getByRole('option', { name: 'Add folder' }).waitFor();
    },
  },
  '13-activity': {
    async go(page) {
      await page.getByRole('button', { name: /outbound/ }).click();
      await page.getByRole('radio', { name: 'Questions' }).check({ force: true });
      await page.getByText('no answer, the rewrite failed').waitFor();
    },
  },
  '14-turn-menu': {
    async go(page) {
      await page.getByRole('button', { name: 'Notice period, open-ended lease', exact: true }).click();
      await page.getByRole('button', { name: 'More for And how long is it for tenants over 65?' }).click();
      await page.getByRole('menuitem', { name: 'Edit question' }).waitFor();
    },
  },
  '15-edit-question': {
    async go(page) {
      await page.getByRole('button', { name: 'Notice period, open-ended lease', exact: true }).click();
      await page.getByRole('button', { name: 'More for And how long is it for tenants over 65?' }).click();
      await page.getByRole('menuitem', { name: 'Edit question' }).click();
      await page.getByRole('textbox', { name: /^The question/ }).waitFor();
    },
  },
  '16-options': {
    async go(page) {
      await page.getByRole('button', { name: 'More options' }).click();
      await page.getByText('Earlier messages for the answer').first().waitFor();
    },
  },
  '17-collection': {
    async go(page) {
      await page.keyboard.press('Control+2');
      await page.getByRole('button', { name: /^Tenancy law/ }).click();
      await page.getByRole('button', { name: 'More for Tenancy law' }).click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await page.getByRole('textbox', { name: 'Name' }).waitFor();
    },
  },
  '18-programs': {
    async go(page) {
      await page.evaluate(() => {
        const call = { at: new Date().toISOString(), via: 'openai', route: 'POST /v1/chat/completions' };
        window.mock.programs = [
          {
            ...call,
            client: 'notes',
            status: 200,
            code: null,
            documents: [3, 4],
            passages: 5,
            duration_ms: 1240,
          },
          {
            ...call,
            client: '',
            status: 401,
            code: 'unauthorized',
            documents: [],
            passages: 0,
            duration_ms: 1,
          },
        ];
      });
      await page.keyboard.press('Control+5');
      await page.getByRole('button', { name: 'Programs and token' }).click();
      await page.getByRole('switch', { name: 'Let other programs ask' }).check({ force: true });
      await page.evaluate(() => window.mock.emit('status', window.mock.status));
      await page.getByText('Programs are answered at').waitFor();
    },
  },
  '18-privacy': {
    async go(page) {
      await page.keyboard.press('Control+5');
      await page.getByRole('button', { name: 'Privacy', exact: true }).last().click();
      await page.getByText('None so far').waitFor();
    },
  },
  '18-data': {
    async go(page) {
      await page.keyboard.press('Control+5');
      await page.getByRole('button', { name: 'Data', exact: true }).click();
      await page.getByRole('button', { name: 'Build anew' }).click();
      await page.getByRole('progressbar').waitFor();
    },
  },
  '18-profile': {
    async go(page) {
      await page.keyboard.press('Control+5');
      await page.getByRole('radio', { name: 'Careful' }).check({ force: true });
      await page.getByRole('button', { name: 'Use Careful' }).scrollIntoViewIfNeeded();
    },
  },
  '19-remote': {
    async go(page) {
      await page.keyboard.press('Control+3');
      await page.getByRole('button', { name: 'Set a server for Embed' }).click();
      await page.getByLabel('Address').fill('https://models.example/v1');
    },
  },
  '19-layers': {
    async go(page) {
      await page.keyboard.press('Control+3');
      await page.getByRole('switch', { name: 'As many as fit' }).uncheck({ force: true });
      await page.getByRole('slider').fill('12');
      await page.getByRole('button', { name: 'Test the answer model' }).click();
      await page.getByText('Memory speed used').scrollIntoViewIfNeeded();
    },
  },
  '20-import': {
    async go(page) {
      await page.getByRole('button', { name: 'Import a conversation' }).click();
      await page.getByRole('button', { name: 'Import', exact: true }).waitFor();
    },
  },
  '11-narrow': {
    width: 960,
    height: 640,
    async go(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('button', { name: 'Notice period, open-ended lease', exact: true }).click();
      await page.keyboard.press('Control+b');
    },
  },
};

const only = process.argv.slice(2);
const session = await start();
const before = await recorded();
const views = new Map();
let failed = false;

function fail(line) {
  failed = true;
  console.log(line);
}

/** What axe finds wrong with the page, told by name. */
async function judge(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
  for (const violation of violations) {
    fail(`${name}: ${violation.id}: ${violation.help}`);
    for (const node of violation.nodes.slice(0, 4))
      console.log(`    ${node.target.join(' ')}  ${node.any[0]?.message ?? ''}`);
  }
}

async function look(desk, name, shot) {
  const page = await session.open({
    desk,
    options: shot.options,
    width: shot.width,
    height: shot.height,
    ...shot.context,
    bypassCSP: true,
  });
  try {
    await page
      .getByRole('contentinfo')
      .getByText(/outbound|uscita/)
      .waitFor();
    await shot.go(page);
    await settled(page);
  } catch (error) {
    fail(`${name}: ${error.message.split('\n')[0]}`);
  }
  let light;
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`[data-theme=${theme}]`).first().waitFor();
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
    if (process.env.GUIDE && theme === 'light') await guidePicture(page, name, process.env.GUIDE);
    const now = await measure(page);
    for (const line of now.outside) fail(`${name} ${theme}: ${line}`);
    if (light) {
      for (const line of differences(light.controls, now.controls, `${name}, light and dark`)) fail(line);
    } else {
      light = now;
      views.set(name, now.regions);
      if (!process.env.UPDATE)
        for (const line of differences(before.get(name) ?? [], now.regions, name)) fail(line);
    }
    if (!process.env.NO_AXE) await judge(page, `${name} ${theme}`);
  }
}

// Two desks at once: while one waits for its page, the other works.
const wanted = Object.entries(shots).filter(
  ([name]) => only.length === 0 || only.some((part) => name.includes(part)),
);
await Promise.all(
  [0, 1].map(async (desk) => {
    for (let next = wanted.shift(); next; next = wanted.shift()) await look(desk, ...next);
  }),
);
if (process.env.UPDATE) await keep(views);
for (const problem of new Set(session.problems)) fail(`console: ${problem}`);
await session.end();
console.log(`pictures in ${folder}`);
process.exitCode = failed ? 1 : 0;
