// Serves the built page on loopback and opens it in Chromium with the stand-in
// of the program behind it.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/** The stand-in as one script. */
async function mockScript() {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: join(root, 'e2e/mock/install.ts'), formats: ['iife'], name: 'mockInstall' },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  return result.output[0].code;
}

function serve() {
  const dist = join(root, 'dist');
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://local').pathname);
    if (path === '/empty') return response.writeHead(200, { 'content-type': types['.html'] }).end();
    if (path === '/favicon.ico') return response.writeHead(204).end();
    const file = join(dist, path === '/' ? 'index.html' : path);
    try {
      const body = file.startsWith(dist) ? await readFile(file) : null;
      if (!body) throw new Error('outside');
      response
        .writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
        .end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/**
 * Starts the server and the browser. The result opens views and ends both. Views
 * of one kind of browser share a page, each as a new browser would show it; those
 * of several desks can be open at once.
 * Each page fails its test on an error in the console or a request elsewhere.
 */
export async function start() {
  const [server, script] = await Promise.all([serve(), mockScript()]);
  const origin = `http://127.0.0.1:${server.address().port}`;
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const problems = [];
  const pages = new Map();

  async function begin(kind) {
    const opened = await browser.newContext({
      deviceScaleFactor: 1,
      bypassCSP: false,
      locale: 'en-GB',
      ...kind,
    });
    await opened.grantPermissions(['clipboard-write'], { origin });
    const page = await opened.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('blob:'))
        problems.push(`request to ${request.url()}`);
    });
    await page.addInitScript(
      `window.mockOptions = JSON.parse(sessionStorage.getItem('mockOptions') ?? '{}');\n${script}`,
    );
    await page.goto(`${origin}/empty`);
    return page;
  }

  return {
    problems,
    async open({ theme = 'light', options = {}, width = 1280, height = 832, desk = 0, ...kind } = {}) {
      const key = `${desk} ${JSON.stringify(kind)}`;
      if (!pages.has(key)) pages.set(key, await begin(kind));
      const page = pages.get(key);
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.mouse.move(0, 0);
      await page.evaluate((given) => {
        localStorage.clear();
        sessionStorage.setItem('mockOptions', given);
      }, JSON.stringify(options));
      await page.goto(origin);
      await page.evaluate(() => document.fonts.ready);
      return page;
    },
    async end() {
      await browser.close();
      server.close();
    },
  };
}

/** Waits until nothing moves: no animation runs, and everything stands where it stood before. */
export async function settled(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const places = () =>
      [...document.querySelectorAll('body *')]
        .map((e) => e.getBoundingClientRect())
        .map(({ x, y, width, height }) => [x, y, width, height].join(' '))
        .join('\n');
    const moves = () =>
      document
        .getAnimations()
        .some((a) => a.playState === 'running' && a.effect?.getComputedTiming().iterations !== Infinity);
    let before = '';
    for (let same = 0; same < 4;) {
      await frame();
      await frame();
      const now = places();
      same = now === before && !moves() ? same + 1 : 0;
      before = now;
    }
  });
}
