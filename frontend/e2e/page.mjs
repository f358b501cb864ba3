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
 * Starts the server and the browser. The result opens pages and ends both.
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
  return {
    problems,
    async open({ theme = 'light', options = {}, width = 1280, height = 832, ...context } = {}) {
      const opened = await browser.newContext({
        viewport: { width, height },
        deviceScaleFactor: 1,
        colorScheme: theme,
        reducedMotion: 'reduce',
        bypassCSP: false,
        locale: 'en-GB',
        ...context,
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
      await page.addInitScript(`window.mockOptions = ${JSON.stringify(options)};\n${script}`);
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
