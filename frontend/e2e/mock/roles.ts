// Sample roles, runtime and catalogue.
import type { ModelsState, ModelState, ProgramStatus, RuntimeFolder, Transfer } from '../../src/api';

function model(role: string, id: string | null, name: string | null, layers: number): ModelState {
  return {
    role,
    id,
    name,
    state: name ? 'loaded' : 'none',
    loading: 0,
    note: null,
    layers,
    gpu_layers: layers,
    device: name ? 'GPU 0' : null,
    runtime: name ? 'Vulkan' : null,
    shared: null,
    remote: null,
  };
}

function sampleRoles(empty: boolean): Record<'answer' | 'condense' | 'embed' | 'rerank', ModelState> {
  const answer = empty
    ? model('answer', null, null, 0)
    : model('answer', 'standard-7b', 'Standard 7B Q4_K_M', 28);
  return {
    answer,
    condense: { ...answer, role: 'condense', shared: empty ? null : 'answer' },
    embed: empty ? model('embed', null, null, 0) : model('embed', 'embed', 'Multilingual embed Q8_0', 12),
    rerank: model('rerank', null, null, 0),
  };
}

export function sampleStatus(empty: boolean): ProgramStatus {
  const { answer, condense, embed } = sampleRoles(empty);
  return {
    answer,
    condense,
    embed,
    tokens_per_second: empty ? 0 : 41.8,
    outbound: 0,
    index: empty
      ? { documents: 0, chunks: 0, vectors_done: 0, vectors_total: 0 }
      : { documents: 3061, chunks: 48310, vectors_done: 48310, vectors_total: 48310 },
    notices: [],
  };
}

export const noTransfer: Omit<Transfer, 'id'> = {
  state: 'connecting',
  done: 0,
  total: 0,
  rate: 0,
  remaining_seconds: 0,
  asks: null,
  sentence: null,
};

export function sampleModels(empty: boolean): ModelsState {
  const entry = (
    id: string,
    name: string,
    roles: string[],
    size: number,
    licence: string,
    memory: number,
    installed = !empty,
  ) => ({
    id,
    name,
    roles,
    size_bytes: size,
    licence,
    installed,
    fits: `Runs well with ${memory} GiB of memory.`,
    class: memory > 8 ? ('too_large' as const) : ('gpu' as const),
    downloadable: true,
    host: 'models.example',
    proof: installed ? ('catalogue' as const) : null,
    own: id === 'compact-0.6b' && installed,
    transfer: null,
  });
  return {
    roles: Object.values(sampleRoles(empty)),
    catalogue: [
      entry('standard-7b', 'Standard 7B Q4_K_M', ['answer', 'condense'], 4.68e9, 'Apache-2.0', 8),
      entry('compact-0.6b', 'Compact 0.6B Q4_K_M', ['answer', 'condense'], 0.48e9, 'Apache-2.0', 2),
      entry('embed', 'Multilingual embed Q8_0', ['embed'], 0.3e9, 'MIT', 1),
      entry('large-14b', 'Large 14B Q4_K_M', ['answer'], 8.99e9, 'Apache-2.0', 16, false),
    ],
    runtime: {
      name: 'Vulkan',
      devices: ['GPU 0, 8.00 GiB'],
      reason: 'Vulkan is in use. CUDA needs an optional pack and driver 580 or newer; 575 was found.',
    },
  };
}

export function sampleRuntimes(): RuntimeFolder[] {
  const there = (name: string, used: boolean): RuntimeFolder => ({
    name,
    version: 'b6500',
    folder: `/usr/lib/referent/runtime/${name}`,
    used,
    removable: false,
    sentence: null,
    notice: null,
    lacks: null,
    fetch: [],
    sources: [],
    transfer: null,
  });
  return [
    there('vulkan', true),
    there('cpu', false),
    {
      ...there('cuda', false),
      folder: null,
      notice: 'The CUDA pack holds libraries of NVIDIA. Read their licence before you use the pack.',
      fetch: ['npm pack plug-in', 'pip download numbers'],
      sources: [
        { url: 'https://packs.example/plug-in.tgz', sha256: 'a'.repeat(64), bytes: 143e6 },
        { url: 'https://packs.example/numbers.whl', sha256: 'b'.repeat(64), bytes: 446e6 },
      ],
    },
  ];
}
