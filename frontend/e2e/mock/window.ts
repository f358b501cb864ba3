// A stand-in for the program: the bound methods and events of the desktop host,
// in memory and without a model. Its properties:
//  - every method of the contract answers, from values that a test may replace;
//  - Ask plays a script of events in order, and Stop ends it with "cancelled";
//  - calls are recorded in order, drops and events are sent by hand;
//  - a method named in `failures` rejects with that error.
// Each part is a class of its own that extends the one before: base, chat,
// library_state, reader, models, record, upkeep, measure.
import type { MockOptions } from './base';
import { MockMeasure } from './measure';

export type { MockOptions } from './base';

export class MockWindow extends MockMeasure {
  constructor(options: MockOptions = {}) {
    super(options);
  }

  OpenLink(): void {}

  SetLanguage(): void {}

  /** The dialog takes the proposed name in the person's folder. */
  SaveText(name: string): string {
    return `/home/ada/${name}`;
  }

  Version() {
    return { version: '0.1.0', llama: 'b6500', sqlite: '3.54.0' };
  }

  Demo() {
    return { sample_questions: ['How long is the notice period?', 'Who signed the heat pump off?'] };
  }

  WindowReady(): void {}
}
