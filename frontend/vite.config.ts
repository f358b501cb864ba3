import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';
import { pdfFiles } from './build-pdf.ts';

export default defineConfig({
  plugins: [
    paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/paraglide',
      strategy: ['globalVariable', 'baseLocale'],
    }),
    svelte(),
    svelteTesting(),
    pdfFiles(),
  ],
  build: {
    target: 'es2022',
    // The content security policy allows fonts from the program itself only, not from data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts'],
    restoreMocks: true,
    // Component modules are shared by the test files, whose order changes from run to run:
    // what the modules remember (the language) and what the browser keeps is set anew
    // before each test.
    isolate: false,
    setupFiles: ['src/text/testing.ts'],
    fileParallelism: false,
  },
});
