// Documents and passages.
import { MockLibrary } from './library_state';
import { handbook } from './turns';

export class MockReader extends MockLibrary {
  DocumentText(id: number) {
    if (id !== 1) throw { code: 'unknown_document', message: 'This document is no longer in the library.' };
    return { title: 'Residential tenancy handbook 2025', path: '', text: handbook, kind: 'pdf', pages: 212 };
  }

  Passage(chunk: number) {
    return {
      text: '',
      before: `Before passage ${chunk}.`,
      after: 'After it.',
      locator: {},
      heading: null,
      title: '',
      path: '',
      missing: true,
    };
  }
}
