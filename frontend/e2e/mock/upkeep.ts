// Other programs, profiles, the data folder, the fit of models and their speed.
import type {
  Conversation,
  Fit,
  FitRequest,
  IndexReport,
  IndexSize,
  PickedBackup,
  PickedConversation,
  Profile,
  RemoteRequest,
  Serving,
  Setting,
  Speed,
} from '../../src/api';
import { MockRecord } from './record';

export class MockUpkeep extends MockRecord {
  serving: Serving = { address: null, problem: null, token: 'a1'.repeat(32) };
  profiles: Profile[] = [
    { name: 'careful', values: { 'chat.mode': 'strict', 'condense.on_failure': 'stop' } },
    { name: 'balanced', values: { 'chat.mode': 'generate', 'condense.on_failure': 'expand' } },
    { name: 'fast', values: { 'chat.mode': 'generate', 'condense.on_failure': 'verbatim' } },
  ];
  size: IndexSize = {
    library: 1.24e9,
    conversations: 38e6,
    search: 410e6,
    backups: 0,
    chunks: 48310,
    vectors: 48310,
  };
  report: IndexReport = { problems: [], repaired: false };
  pickedBackup: PickedBackup = {
    picked: true,
    path: '/home/ada/referent-backup.zip',
    before: '/home/ada/.local/share/referent/backup/before-restore',
    reset: true,
  };
  pickedConversation: PickedConversation = {
    picked: true,
    file: 'Notice period.json',
    title: 'Notice period, open-ended lease',
    turns: 2,
    passages: 11,
    first: '2026-01-02T10:00:00Z',
    last: '2026-01-02T10:05:00Z',
    questions: ['What is the notice period?', 'And how long is it for tenants over 65?'],
    withheld: 0,
  };
  fit: Fit = sampleFit();
  speed: Speed = { role: 'answer', tokens: 48, decode: 41.8, prefill: 812, reached: 0, memory: 0 };
  /** Holds a rebuild until it is stopped or finished. */
  rebuilding: { id: string; resolve: () => void; reject: (cause: unknown) => void } | null = null;

  Serving(): Serving {
    const on = this.settings.find((s) => s.key === 'api.enabled')?.value === 'true';
    return on && !this.serving.problem ? { ...this.serving, address: '127.0.0.1:7337' } : this.serving;
  }

  RotateToken(): Serving {
    this.serving = { ...this.serving, token: 'b2'.repeat(32) };
    return this.Serving();
  }

  Profiles(): Profile[] {
    return this.profiles;
  }

  UseProfile(name: string): Setting[] {
    const values = this.profiles.find((p) => p.name === name)?.values ?? {};
    for (const [key, value] of Object.entries(values)) this.SetSetting(key, value);
    return this.settings;
  }

  IndexSize(): IndexSize {
    return this.size;
  }

  VerifyIndex(): IndexReport {
    return this.report;
  }

  RepairIndex(): IndexReport {
    return this.report.problems.length > 0 ? { ...this.report, repaired: true } : this.report;
  }

  /** Waits for Stop or finishRebuild. */
  async RebuildIndex(id: string): Promise<void> {
    this.emit('rebuilding', { id, done: 1200, total: 3061 });
    await new Promise<void>((resolve, reject) => (this.rebuilding = { id, resolve, reject }));
  }

  finishRebuild(): void {
    this.rebuilding?.resolve();
  }

  override Stop(id: string): void {
    super.Stop(id);
    if (this.rebuilding?.id === id) this.rebuilding.reject({ code: 'cancelled', message: 'Stopped.' });
  }

  Backup(): string {
    return '/home/ada/referent-backup-2026-01-02.zip';
  }

  PickBackup(): PickedBackup {
    return this.pickedBackup;
  }

  Restart(): void {}

  SaveDiagnostics(): string {
    return '/home/ada/referent-diagnostics-2026-01-02.txt';
  }

  FitModels(request: FitRequest): Fit {
    const { layers } = request;
    if (layers === null || layers < 0) return this.fit;
    const roles = this.fit.roles.map((role) =>
      role.role === 'answer'
        ? { ...role, layers: Math.min(layers, role.of), device_bytes: (4.6e9 * layers) / role.of }
        : role,
    );
    return { ...this.fit, roles };
  }

  TestModel(): Speed {
    return this.speed;
  }

  SetRemote(request: RemoteRequest): void {
    this.SetSetting(`remote.${request.role}.url`, request.url);
  }

  PickConversation(): PickedConversation {
    return this.pickedConversation;
  }

  ImportConversation(): Conversation {
    const made = { ...this.NewConversation(), title: this.pickedConversation.title, turns: 2 };
    this.conversations = [made, ...this.conversations];
    this.turns.set(made.id, this.turns.get(1) ?? []);
    return made;
  }
}

function sampleFit(): Fit {
  const role = (name: string, model: string, of: number, bytes: number, shares = false) => ({
    role: name,
    model,
    layers: of,
    of,
    context: 8192,
    cache: 'f16',
    device_bytes: bytes,
    host_bytes: 0.3e9,
    shares,
  });
  return {
    devices: [{ name: 'GPU 0', free: 7.2e9, total: 8.59e9 }],
    memory: 33.5e9,
    roles: [
      role('answer', 'standard-7b', 28, 4.9e9),
      role('condense', 'standard-7b', 28, 0, true),
      role('embed', 'embed', 12, 0.42e9),
    ],
    given_up: [],
    room: 6.6e9,
    used: 5.32e9,
    over: false,
  };
}
