import { expect, test } from 'vitest';
import { MockWindow } from '../../e2e/mock/window';
import { language } from '../text/locale.svelte';
import { layersText } from './strip';

test.each(['answer', 'condense', 'embed'] as const)(
  'the strip says that the %s model is on a server',
  (role) => {
    language.choice = 'en';
    const { status } = new MockWindow();
    expect(layersText(status)).not.toContain('sent to');
    const there = { ...status, [role]: { ...status[role], remote: 'models.example' } };
    expect(layersText(there)).toBe('Texts are sent to models.example.');
  },
);
