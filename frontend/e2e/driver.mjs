// Drives a page in Chromium for the Go tests: one JSON command a line on stdin,
// one JSON answer a line on stdout. Elements are found as a person or a screen
// reader finds them, by role and name.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const [address, width, height] = process.argv.slice(2);
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
const context = await browser.newContext({
  viewport: { width: Number(width), height: Number(height) },
  locale: 'en-GB',
  bypassCSP: false,
});
const page = await context.newPage();
page.setDefaultTimeout(20_000);
const problems = [];
const foreign = [];
page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
page.on('pageerror', (error) => problems.push(String(error)));
page.on('request', (request) => {
  const url = new URL(request.url());
  if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== new URL(address).origin)
    foreign.push(request.url());
});

const find = ({ role, name, exact, nth }) => {
  let found = role
    ? page.getByRole(role, name ? { name, exact: exact ?? false } : {})
    : page.getByText(name, { exact: exact ?? false });
  return nth === undefined ? found.first() : found.nth(nth);
};

/** What axe finds wrong with the page as it stands, one line a place. */
async function violations() {
  const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(await readFile(source, 'utf8'));
  const found = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')} ${node.any[0]?.message ?? ''}`),
  );
}

/** What the page holds after its garbage is collected: bytes of the heap, nodes and listeners. */
async function memory() {
  const session = await context.newCDPSession(page);
  for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  await session.detach();
  return [usedSize, nodes, jsEventListeners];
}

const commands = {
  memory,
  open: () => page.goto(address, { waitUntil: 'load' }).then(() => null),
  click: (c) =>
    find(c)
      .click()
      .then(() => null),
  fill: (c) =>
    find(c)
      .fill(c.text)
      .then(() => null),
  focus: (c) =>
    find(c)
      .focus()
      .then(() => null),
  type: (c) => page.keyboard.type(c.text).then(() => null),
  size: (c) => page.setViewportSize({ width: c.width, height: c.height }).then(() => null),
  press: (c) => page.keyboard.press(c.key).then(() => null),
  wait: (c) =>
    find(c)
      .waitFor()
      .then(() => null),
  gone: (c) =>
    find(c)
      .waitFor({ state: 'hidden' })
      .then(() => null),
  text: (c) => find(c).innerText(),
  value: (c) => find(c).inputValue(),
  count: (c) =>
    (c.role ? page.getByRole(c.role, c.name ? { name: c.name } : {}) : page.getByText(c.name)).count(),
  evaluate: (c) => page.evaluate(c.script),
  theme: (c) => page.emulateMedia({ colorScheme: c.text, reducedMotion: 'reduce' }).then(() => null),
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
