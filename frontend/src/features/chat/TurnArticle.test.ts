import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { failedRewrite, leaseTurns, stoppedRewrite } from '../../../e2e/mock/turns';
import { language } from '../../text/locale.svelte';
import { EvidenceState } from './evidence.svelte';
import { Turn } from './turn.svelte';
import TurnArticle from './TurnArticle.svelte';

beforeEach(() => {
  language.choice = 'en';
});

function show(turn: Turn) {
  const evidence = new EvidenceState();
  evidence.show(turn);
  const calls = {
    onagain: vi.fn(),
    onalways: vi.fn(),
    onedit: vi.fn(),
    onshow: vi.fn(),
    onopen: vi.fn(),
    onlink: vi.fn(),
  };
  const view = render(TurnArticle, {
    turn,
    evidence,
    busy: false,
    newest: true,
    editing: false,
    hasAnswerModel: true,
    readerOpen: false,
    ...calls,
  });
  return { ...calls, ...view, user: userEvent.setup() };
}

function lease(answer?: string): Turn {
  const stored = leaseTurns[1];
  if (!stored) throw new Error('no turn');
  return Turn.stored(answer ? { ...stored, done: { ...stored.done, answer } } : stored);
}

function live(script: typeof failedRewrite): Turn {
  const turn = Turn.ask({ id: 'a', conversation: 2, question: 'And who signed that off?' }, () => 1);
  for (const { events } of script) turn.apply(events);
  return turn;
}

test('a turn is an article called by its question', () => {
  show(lease());
  const article = screen.getByRole('article', { name: 'And how long is it for tenants over 65?' });
  expect(within(article).getByText('Searched for')).toBeTruthy();
  expect(article.querySelector('u')?.textContent).toBe(
    'landlord’s notice period for an open-ended residential lease',
  );
  expect(within(article).getByText('Supported')).toBeTruthy();
});

test('a citation is called by document and page; Enter opens it, Space shows it', async () => {
  const { user, onshow, onopen } = show(lease());
  const [chip] = screen.getAllByRole('button', {
    name: /Citation 1, Residential tenancy handbook 2025\.pdf, page.84/,
  });
  chip?.focus();
  await user.keyboard('{Enter}');
  expect(onopen).toHaveBeenCalledWith(1, expect.any(String));
  await user.keyboard(' ');
  expect(onshow).toHaveBeenCalledWith(1, expect.any(String));
});

test('a citation that names no passage is struck through', () => {
  show(lease('It is so [9].'));
  expect(
    screen.getByRole('note', { name: 'Citation 9 names no passage' }).querySelector('s')?.textContent,
  ).toBe('9');
});

test('the own words can be searched instead of the rewrite', async () => {
  const { user, onagain } = show(lease());
  await user.click(screen.getByRole('radio', { name: 'Your words' }));
  await user.click(screen.getByRole('button', { name: 'Search again' }));
  expect(onagain).toHaveBeenCalledWith({ own_words: true });
});

test('a failed rewrite says why and offers to try it again', async () => {
  const { user, onagain } = show(live(failedRewrite));
  expect(screen.getByText(/Rewrite failed: timeout after 2\.0.s/)).toBeTruthy();
  expect(screen.getByText('Not checked yet')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Retry rewrite' }));
  expect(onagain).toHaveBeenCalledWith({});
});

test('under the policy stop the focus lands on Retry', async () => {
  const { user, onagain, onalways } = show(live(stoppedRewrite));
  expect(screen.getByRole('alert').textContent).toContain('No answer: the rewrite failed (timeout).');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Retry' }));
  await user.click(screen.getByRole('button', { name: 'Search my words' }));
  expect(onagain).toHaveBeenCalledWith({ own_words: true });
  await user.click(screen.getByRole('button', { name: 'Always search my words' }));
  expect(onalways).toHaveBeenCalled();
});

test('a streaming answer appears piece by piece', async () => {
  const turn = Turn.ask({ id: 'a', conversation: null, question: 'q' }, () => 1);
  show(turn);
  expect(screen.getByText('Preparing the search')).toBeTruthy();
  turn.apply([{ event: 'token', text: 'First' }]);
  await vi.waitFor(() => expect(screen.getByText('First')).toBeTruthy());
  turn.apply([{ event: 'token', text: ' words' }]);
  await vi.waitFor(() => expect(screen.getByText('First words')).toBeTruthy());
});

test('a link asks before it opens', async () => {
  const { user, onlink } = show(lease('See [the law](https://law.example/65).'));
  await user.click(screen.getByRole('link', { name: 'the law' }));
  expect(onlink).toHaveBeenCalledWith('https://law.example/65');
});

describe('an answer cannot bring anything but text onto the page', () => {
  test.each([
    '<script>window.pwned = 1</script>',
    '<img src="https://evil.example/x.png" onerror="window.pwned = 1">',
    '[click](javascript:window.pwned=1)',
    '![](https://evil.example/pixel.png)',
    '<iframe src="https://evil.example"></iframe>',
    '<style>body{display:none}</style>',
  ])('%s', (answer) => {
    const { container } = show(lease(answer));
    const rendered = container.querySelector('.markdown');
    expect(rendered?.querySelectorAll('script, img, iframe, style, a, object, embed, form')).toHaveLength(0);
    for (const element of rendered?.querySelectorAll('*') ?? []) {
      for (const attribute of element.attributes)
        expect(attribute.name).not.toMatch(/^on|^src$|^href$|^srcdoc$/);
    }
    expect(rendered?.textContent?.trim()).not.toBe('');
    expect('pwned' in window).toBe(false);
  });
});

test('R103: a question takes its direction from its own text', () => {
  const stored = leaseTurns[0];
  if (!stored) throw new Error('no turn');
  show(Turn.stored({ ...stored, question: 'ما هي مدة الإشعار؟ notice' }));
  expect(screen.getByRole('heading', { level: 2 }).getAttribute('dir')).toBe('auto');
});
