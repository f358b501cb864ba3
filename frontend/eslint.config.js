// Lint rules, among them the layers of the frontend: features never import each
// other, and only src/api touches what the desktop host provides.
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const features = ['chat', 'library', 'settings', 'start', 'models', 'reader', 'lab'];
const generated = {
  group: ['**/wailsjs/**'],
  message: 'Only src/api touches the generated bindings: everything else stays testable without a host.',
};
const host = ['go', 'runtime'].map((property) => ({
  object: 'window',
  property,
  message: 'Only src/api talks to the host: call the backend that is handed to you.',
}));
const noFeature = {
  group: ['**/features/**'],
  message: 'The lower layers (api, ui, text) know no feature.',
};

export default ts.config(
  { ignores: ['dist/', 'src/paraglide/', 'src/wailsjs/', 'project.inlang/'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-imports': 'off',
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: [generated] }],
      'no-restricted-properties': ['error', ...host],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig },
    },
    rules: {
      'svelte/no-at-html-tags': 'error',
      'svelte/require-each-key': 'error',
      // Collections in state are replaced, never changed in place, so plain ones will do.
      'svelte/prefer-svelte-reactivity': 'off',
      // {' '} keeps a blank that the compiler would drop.
      'svelte/no-useless-mustaches': 'off',
      // A $state or $derived binding is written by the template.
      'prefer-const': 'off',
      'svelte/prefer-const': [
        'error',
        { destructuring: 'all', excludedRunes: ['$props', '$derived', '$bindable'] },
      ],
    },
  },
  ...features.map((feature) => ({
    files: [`src/features/${feature}/**`],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            generated,
            {
              group: features
                .filter((other) => other !== feature)
                .flatMap((other) => [`../${other}`, `../${other}/**`, `**/features/${other}/**`]),
              message: 'Features never import each other: share through ui, text or api, and meet in shell.',
            },
            {
              group: ['**/shell/**'],
              message: 'The shell puts the features together; none of them knows it.',
            },
          ],
        },
      ],
    },
  })),
  {
    files: ['src/ui/**', 'src/text/**'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [generated, noFeature] }] },
  },
  {
    files: ['src/api/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: [noFeature] }],
      'no-restricted-properties': 'off',
    },
  },
  {
    files: ['e2e/**'],
    languageOptions: { globals: { ...globals.node } },
    rules: { 'no-restricted-properties': 'off' },
  },
);
