import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { failedRewrite, leaseTurns, stoppedRewrite } from '../../../e2e/mock/turns';
import { EvidenceState } from './evidence.svelte';
import { Turn } from './turn.svelte';
import TurnArticle from './TurnArticle.svelte';

function show(turn: Turn) {
  const evidence = new EvidenceState();
  evidence.show(turn);
  const calls = {
    onagain: vi.fn(),
    onask: vi.fn(),
    onbranch: vi.fn(),
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

test('a stored research shows its calls and why it ended', async () => {
  const stored = leaseTurns[1];
  if (!stored) throw new Error('no turn');
  const step = { repeated_of: null };
  const { user } = show(
    Turn.stored({
      ...stored,
      prepared: {
        ...stored.prepared,
        engine: 'research',
        status: 'researched',
        ended: 'patience',
        steps: [
          { ...step, n: 1, tool: 'search', arguments: { query: 'notice period' }, hits: 1 },
          {
            ...step,
            n: 2,
            tool: 'search',
            arguments: { query: 'tenants over 65', filters: [{ field: 'type', op: 'eq', value: ['pdf'] }] },
            hits: 2,
          },
          { ...step, n: 3, tool: 'list_documents', arguments: {}, hits: 9 },
          {
            ...step,
            n: 4,
            tool: 'search',
            arguments: { query: 'notice period' },
            hits: 0,
            repeated_of: 1,
          },
        ],
      },
    }),
  );
  await user.click(screen.getByText('4 steps of research'));
  expect(
    screen
      .getAllByRole('listitem')
      .map((item) => item.textContent)
      .slice(0, 4),
  ).toEqual([
    'Searched for “notice period”: 1 passage',
    'Searched for “tenants over 65” with the guessed filter type = pdf: 2 passages',
    'Looked at the list of documents',
    'Searched for “notice period”: same as step 1, not run again',
  ]);
  expect(screen.getByText('Several rounds found nothing new, so it ended with what was found.')).toBeTruthy();
});

test('a question to the person is not called an unchecked answer', () => {
  const stored = leaseTurns[1];
  if (!stored) throw new Error('no turn');
  const ask = 'Which lease do you mean?';
  show(
    Turn.stored({
      ...stored,
      prepared: {
        ...stored.prepared,
        engine: 'research',
        status: 'researched',
        ended: 'asked',
        ask_user: ask,
      },
      done: {
        ...stored.done,
        answer: ask,
        citations: [],
        answer_check: { status: 'unchecked', issues: [], citations: 0, values: 0 },
      },
    }),
  );
  expect(screen.getByText(ask)).toBeTruthy();
  expect(screen.getByText('A question to you. It states nothing that could be checked.')).toBeTruthy();
});

describe('an answered turn can be taken further', () => {
  const more = { name: 'More for And how long is it for tenants over 65?' };

  test.each([
    ['Answer again from the same passages', 'onagain', { same_evidence: true }],
    ['Search and answer again', 'onagain', {}],
    ['Continue from here in a copy', 'onbranch', undefined],
  ] as const)('%s', async (item, call, value) => {
    const { user, ...calls } = show(lease());
    await user.click(screen.getByRole('button', more));
    await user.click(await screen.findByRole('menuitem', { name: item }));
    expect(calls[call]).toHaveBeenCalledOnce();
    if (value) expect(calls[call]).toHaveBeenCalledWith(value);
  });

  test('the question is edited in place; Enter asks it, Escape leaves it', async () => {
    const { user, onask } = show(lease());
    const edit = async () => {
      await user.click(screen.getByRole('button', more));
      await user.click(await screen.findByRole('menuitem', { name: 'Edit question' }));
      return screen.findByRole('textbox', { name: 'The question, to ask it differently' });
    };
    const field = await edit();
    expect(document.activeElement).toBe(field);
    await user.keyboard(' And in Rome{Escape}');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(onask).not.toHaveBeenCalled();
    await edit();
    await user.keyboard(' And in Rome?{Enter}');
    expect(onask).toHaveBeenCalledWith('And how long is it for tenants over 65? And in Rome?');
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  test('the answer is copied as it is, with its sources, or without citations', async () => {
    const { user } = show(lease('Three months [1] and [2, 3].'));
    await user.click(screen.getByRole('button', { name: 'Copy answer' }));
    expect(await navigator.clipboard.readText()).toBe('Three months [1] and [2, 3].');
    await user.click(screen.getByRole('button', more));
    await user.click(await screen.findByRole('menuitem', { name: 'Copy without citations' }));
    expect(await navigator.clipboard.readText()).toBe('Three months and.');
    await user.click(screen.getByRole('button', more));
    await user.click(await screen.findByRole('menuitem', { name: 'Copy with sources' }));
    const copied = (await navigator.clipboard.readText()).replaceAll('\u00a0', ' ');
    expect(copied).toMatch(
      /^Three months \[1\] and \[2, 3\]\.\n\nSources\n\n- \[1\] Residential tenancy handbook/,
    );
  });
});
