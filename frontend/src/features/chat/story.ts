// The chat with the stand-in of the program behind it, for tests that tell a story.
import { expect, vi } from 'vitest';
import { MockWindow, type MockOptions } from '../../../e2e/mock/window';
import { connect } from '../../api';
import { ChatState } from './chat.svelte';

export class Story {
  readonly mock: MockWindow;
  readonly chat: ChatState;
  readonly said: string[] = [];
  #ids = 0;

  constructor(options: MockOptions = {}) {
    this.mock = new MockWindow(options);
    this.chat = new ChatState({
      backend: connect(this.mock.host()),
      announce: (sentence) => this.said.push(sentence),
      clock: () => 1,
      newId: () => `request-${++this.#ids}`,
      later: (work) => work(),
    });
  }

  async begin(): Promise<this> {
    this.chat.start();
    await vi.waitFor(() => expect(this.chat.list.loaded).toBe(true));
    return this;
  }

  async writes(text: string): Promise<void> {
    this.chat.write(text);
    await this.chat.submit();
  }

  /** The last request that reached the program. */
  get asked(): Record<string, unknown> {
    return (this.mock.called('Ask').at(-1)?.[0] ?? {}) as Record<string, unknown>;
  }
}
