// One sentence on each engine, answer mode and retriever. Their names are the
// same everywhere and are not translated.
import { m } from '../paraglide/messages';

export function engineSentence(name: string): string | undefined {
  switch (name) {
    case 'simple':
      return m.engine_simple();
    case 'expand':
      return m.engine_expand();
    case 'condense_context':
      return m.engine_condense_context();
    case 'blend':
      return m.engine_blend();
    case 'research':
      return m.engine_research();
    default:
      return undefined;
  }
}

export function modeSentence(name: string): string | undefined {
  switch (name) {
    case 'auto':
      return m.mode_auto();
    case 'generate':
      return m.mode_generate();
    case 'strict':
      return m.mode_strict();
    case 'quote':
      return m.mode_quote();
    default:
      return undefined;
  }
}

export function retrieverSentence(name: string): string | undefined {
  switch (name) {
    case 'bm25':
      return m.retriever_bm25();
    case 'dense':
      return m.retriever_dense();
    case 'hybrid':
      return m.retriever_hybrid();
    case 'reranked':
      return m.retriever_reranked();
    default:
      return undefined;
  }
}

export function policySentence(name: string): string | undefined {
  switch (name) {
    case 'expand':
      return m.policy_expand();
    case 'verbatim':
      return m.policy_verbatim();
    case 'stop':
      return m.policy_stop();
    default:
      return undefined;
  }
}
