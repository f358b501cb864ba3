// Asks by the official OpenAI client for JavaScript, as it comes from the registry.
import assert from 'node:assert';
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: process.env.REFERENT_URL + '/v1', apiKey: process.env.REFERENT_TOKEN, maxRetries: 0 });

const names = [];
for await (const model of client.models.list()) names.push(model.id);
assert(names.includes('referent') && names.includes('referent:condense_context'), names.join());

const messages = [{ role: 'system', content: 'You are a pirate.' }];
for (const question of ['Which boiler heats Quay House?', 'When does its heating season begin?']) {
  messages.push({ role: 'user', content: question });
  const reply = await client.chat.completions.create({ model: 'referent:condense_context', messages, temperature: 0.2 });
  const extra = reply.referent;
  assert.equal(reply.choices[0].finish_reason, 'stop');
  assert(reply.usage.total_tokens > 0 && extra.notes.some((note) => note.includes('role system were left out')));
  assert(extra.sources[0].path.endsWith('quay.md') && extra.answer_check.status === 'supported');
  console.log('searched:', extra.prepared.search_queries[0]);
  console.log('answer:', extra.answer);
  messages.push({ role: 'assistant', content: reply.choices[0].message.content });
}

let text = '';
let usage, extra;
const stream = await client.chat.completions.create({
  model: 'referent',
  messages: messages.slice(0, 2),
  stream: true,
  stream_options: { include_usage: true },
  referent: { sources_as_text: false },
});
for await (const chunk of stream) {
  usage = chunk.usage ?? usage;
  extra = chunk.referent ?? extra;
  for (const choice of chunk.choices) text += choice.delta.content ?? '';
}
assert.equal(text, extra.answer);
assert(usage.total_tokens > 0);
console.log('streamed:', text);

const { data } = await client.embeddings.create({ model: 'referent', input: ['a boiler', 'a heating season'] });
assert(Math.abs(data[0].embedding.reduce((sum, x) => sum + x * x, 0) - 1) < 1e-4 && data[0].embedding.length === data[1].embedding.length);

async function refused(kind, status, code, call) {
  await assert.rejects(call, (e) => e instanceof kind && e.status === status && e.code === code);
  console.log('refused:', status, code);
}
const question = [{ role: 'user', content: 'Which boiler heats Quay House?' }];
await refused(OpenAI.NotFoundError, 404, 'not_found', () => client.chat.completions.create({ model: 'gpt-4o', messages: question }));
await refused(OpenAI.UnprocessableEntityError, 422, 'unknown_chat_engine', () =>
  client.chat.completions.create({ model: 'referent:oracle', messages: question }),
);
await refused(OpenAI.UnprocessableEntityError, 422, 'invalid_request', () =>
  client.chat.completions.create({ model: 'referent', messages: question, mesages: [] }),
);
await refused(OpenAI.AuthenticationError, 401, 'unauthorized', () =>
  client.withOptions({ apiKey: 'wrong' }).chat.completions.create({ model: 'referent', messages: question }),
);
