// Settings of the stand-in: the keys that the contract names, with every state
// a row can be in.
import type { Setting } from '../../src/api';

type Short = Partial<Setting> & Pick<Setting, 'key' | 'type' | 'value' | 'group' | 'label' | 'help'>;

function setting(short: Short): Setting {
  return { default: short.value, scope: 'next_question', source: 'default', ...short };
}

export function sampleSettings(): Setting[] {
  const engine = 'Engine and follow-ups';
  const retrieval = 'Retrieval';
  const models = 'Models and GPU';
  return [
    setting({
      key: 'chat.engine',
      type: 'enum',
      value: 'condense_context',
      default: 'simple',
      source: 'stored',
      options: ['simple', 'expand', 'condense_context', 'blend', 'research'],
      group: engine,
      label: 'Chat engine',
      help: 'Decides what to search for when a question leans on the conversation.',
    }),
    setting({
      key: 'chat.mode',
      type: 'enum',
      value: 'generate',
      options: ['generate', 'strict', 'quote'],
      group: engine,
      label: 'Answer mode',
      help: 'Who writes the answer.',
    }),
    setting({
      key: 'condense.enabled',
      type: 'bool',
      value: true,
      group: engine,
      label: 'Rewrite follow-ups',
      help: 'Off: your words are searched, whatever the engine is.',
    }),
    setting({
      key: 'condense.on_failure',
      type: 'enum',
      value: 'verbatim',
      options: ['expand', 'verbatim', 'stop'],
      group: engine,
      label: 'If the rewrite fails',
      help: 'Search my words: answers and says so. Stop: gives no answer and offers both ways on.',
    }),
    setting({
      key: 'condense.timeout',
      type: 'float',
      value: 2,
      default: 2,
      source: 'invalid',
      min: 0.5,
      max: 10,
      unit: 's',
      group: engine,
      label: 'Rewrite time limit',
      help: 'After this time the rewrite counts as failed.',
      notice: 'was 90 s; the range is 0.5 to 10 s. The default of 2.0 s is used.',
    }),
    setting({
      key: 'condense.history',
      type: 'int',
      value: 8,
      default: 6,
      source: 'stored',
      min: 0,
      max: 20,
      group: engine,
      label: 'Messages used for the rewrite',
      help: 'Newest first. They are never used as evidence.',
    }),
    setting({
      key: 'retrieve.retriever',
      type: 'enum',
      value: 'reranked',
      default: 'hybrid',
      source: 'environment',
      environment: 'REFERENT_RETRIEVER',
      options: ['bm25', 'dense', 'hybrid', 'reranked'],
      group: retrieval,
      label: 'Retriever',
      help: 'How passages are found.',
      notice: 'Set by the environment variable REFERENT_RETRIEVER. The stored value, hybrid, is kept.',
    }),
    setting({
      key: 'retrieve.k',
      type: 'int',
      value: 8,
      min: 1,
      max: 50,
      group: retrieval,
      label: 'Passages',
      help: 'How many passages an answer may rest on.',
    }),
    setting({
      key: 'ingest.chunk_tokens',
      type: 'int',
      value: 280,
      default: 200,
      source: 'stored',
      scope: 'reindex',
      min: 60,
      max: 600,
      unit: 'tokens',
      group: retrieval,
      label: 'Passage length',
      help: 'Size of the pieces that are found and cited.',
    }),
    setting({
      key: 'model.gpu_layers',
      type: 'int',
      value: -1,
      min: -1,
      max: 200,
      scope: 'now',
      unit: 'layers',
      group: models,
      label: 'GPU layers',
      help: 'How many layers of the answer model go to the GPU. −1: as many as fit.',
    }),
    setting({
      key: 'model.threads',
      type: 'int',
      value: 7,
      min: 1,
      max: 64,
      scope: 'now',
      group: models,
      label: 'Threads',
      help: 'Processor cores a model may use.',
    }),
    setting({
      key: 'privacy.update_check',
      type: 'bool',
      value: false,
      scope: 'now',
      group: 'Privacy',
      label: 'Look for new versions',
      help: 'One request to the download server a week. Nothing about you or your files is sent.',
    }),
  ];
}
