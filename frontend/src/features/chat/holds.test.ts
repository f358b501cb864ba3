import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { MockWindow } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { ChatState } from './chat.svelte';
import EvidenceRow from './EvidenceRow.svelte';

async function conversation() {
  const mock = new MockWindow();
  const said: string[] = [];
  const chat = new ChatState({
    backend: connect(mock.host()),
    announce: (sentence) => said.push(sentence),
    clock: () => 1,
    newId: () => 'a',
    later: (work) => work(),
  });
  await chat.open(1);
  const hit = chat.evidence.packed[0];
  if (!hit) throw new Error('no passage');
  return { mock, said, chat, hit };
}

test('the class of a passage is corrected, and the turn keeps what it was then', async () => {
  const { mock, said, chat, hit } = await conversation();
  expect(chat.evidence.classOf(hit)).toBe(hit.class);
  await chat.holds.classify(hit, 'transient');
  expect(mock.called('SetPassageClass')).toEqual([[hit.chunk, 'transient']]);
  expect(chat.evidence.classOf(hit)).toBe('transient');
  expect(hit.class).not.toBe('transient');
  expect(said).toContain('Treated as transient');
});

test('a correction that fails changes nothing and says why', async () => {
  const { mock, chat, hit } = await conversation();
  mock.failures.set('SetPassageClass', { code: 'busy', message: 'The library is busy.', hint: 'Wait.' });
  await chat.holds.classify(hit, 'transient');
  expect(chat.evidence.classOf(hit)).toBe(hit.class);
  expect(chat.problem).toBe('The library is busy. Wait.');
});

test('an open passage offers the other classes, by name', async () => {
  const { chat, hit } = await conversation();
  const user = userEvent.setup();
  const onclass = vi.fn();
  render(EvidenceRow, {
    hit,
    evidence: chat.evidence,
    onopen: vi.fn(),
    onpin: vi.fn(),
    onclass,
    onselect: vi.fn(),
  });
  await user.click(screen.getByRole('button', { name: 'How long it holds: fact' }));
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent?.trim())).toEqual([
    'Treat the passage as snapshot',
    'Treat the passage as transient',
  ]);
  await user.click(screen.getByRole('menuitem', { name: 'Treat the passage as transient' }));
  expect(onclass).toHaveBeenCalledWith('transient');
});
