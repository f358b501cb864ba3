// Drives a page in Chromium for the Go tests: one JSON command a line on stdin,
// one JSON answer a line on stdout. One page serves all stories, one after the
// other: each has an address of its own, and what a page stores it stores for its
// address. Elements are found as a person or a screen reader finds them, by role
// and name.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});

const context = await browser.newContext({ locale: 'en-GB', bypassCSP: false });
const page = await context.newPage();
page.setDefaultTimeout(20_000);
/** Of the story under way. */
let origin = '';
let problems = [];
let foreign = [];
page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
page.on('pageerror', (error) => problems.push(String(error)));
page.on('request', (request) => {
  const url = new URL(request.url());
  if (!['data:', 'blob:', 'about:'].includes(url.protocol) && url.origin !== origin)
    foreign.push(request.url());
});

/** Holds what it has set for as long as it is open. */
const emulation = await context.newCDPSession(page);

/** The page is used with fingers, which do not hover, or with a mouse. */
const fingers = (enabled) => emulation.send('Emulation.setTouchEmulationEnabled', { enabled });

/** Begins a story with a page as a new browser would show it. */
async function begin({ address, width, height }) {
  origin = new URL(address).origin;
  problems = [];
  foreign = [];
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await fingers(false);
  await page.mouse.move(0, 0);
  await page.goto(address, { waitUntil: 'load' });
}

const find = ({ role, name, exact, nth }) => {
  let found = role
    ? page.getByRole(role, name ? { name, exact: exact ?? false } : {})
    : page.getByText(name, { exact: exact ?? false });
  return nth === undefined ? found.first() : found.nth(nth);
};

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with the page as it stands, one line a place. */
async function violations() {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')} ${node.any[0]?.message ?? ''}`),
  );
}

/**
 * What the page holds after its garbage is collected: bytes of the heap, nodes,
 * listeners, and bytes of memory of all processes that draw pages.
 */
async function memory() {
  const session = await context.newCDPSession(page);
  for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  await session.detach();
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
  await whole.detach();
  let resident = 0;
  for (const { id } of processInfo.filter(({ type }) => type === 'renderer')) {
    const status = await readFile(`/proc/${id}/status`, 'utf8');
    resident += 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)[1]);
  }
  return [usedSize, nodes, jsEventListeners, resident];
}

/** What each command does; one that has no value is only waited for. */
const commands = {
  memory,
  begin,
  end: () => page.goto('about:blank').then(() => null),
  reload: () => page.reload({ waitUntil: 'load' }).then(() => null),
  click: (c) => find(c).click(),
  fill: (c) => find(c).fill(c.text),
  focus: (c) => find(c).focus(),
  hover: (c) => find(c).hover(),
  type: (c) => page.keyboard.type(c.text),
  size: (c) => page.setViewportSize({ width: c.width, height: c.height }),
  press: (c) => page.keyboard.press(c.key),
  wait: (c) => find(c).waitFor(),
  gone: (c) => find(c).waitFor({ state: 'hidden' }),
  text: (c) => find(c).innerText(),
  value: (c) => find(c).inputValue(),
  count: (c) =>
    (c.role ? page.getByRole(c.role, c.name ? { name: c.name } : {}) : page.getByText(c.name)).count(),
  evaluate: (c) => page.evaluate(c.script),
  touch: (c) => fingers(c.text === 'on'),
  theme: (c) => page.emulateMedia({ colorScheme: c.text, reducedMotion: 'reduce' }),
  picture: (c) => page.screenshot({ path: c.text }).then(() => null),
  problems: async () => problems.splice(0),
  foreign: async () => foreign.slice(),
  violations,
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  let answer;
  try {
    answer = { value: (await commands[command.do](command)) ?? null };
  } catch (error) {
    answer = {
      error: String(error.message ?? error)
        .split('\n')
        .slice(0, 4)
        .join(' '),
    };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
