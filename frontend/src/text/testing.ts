// Before each test: the window's words are the base language's and nothing is remembered,
// whatever the test before it (also of another file) has left.
import { beforeEach } from 'vitest';
import { language } from './locale.svelte';

beforeEach(() => {
  language.choice = 'en';
  localStorage.clear();
});
