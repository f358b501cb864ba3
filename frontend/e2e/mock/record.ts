// Settings, and what the program remembers about its own work.
import type { Call, Connection, Run, Setting } from '../../src/api';
import { MockModels } from './models';
import { sampleSettings } from './settings';

export class MockRecord extends MockModels {
  settings: Setting[] = sampleSettings();
  connections: Connection[] = [];
  programs: Call[] = [];
  runs: Run[] = [
    {
      id: 2,
      started: new Date().toISOString(),
      conversation: 2,
      turn: null,
      engine: 'condense_context',
      status: 'failed_stopped',
      code: 'condense_failed',
      reason: 'timeout',
      stages_ms: { total: 2004 },
    },
    {
      id: 1,
      started: new Date().toISOString(),
      conversation: 1,
      turn: 2,
      engine: 'condense_context',
      status: 'rewritten',
      code: null,
      reason: null,
      stages_ms: { prepare: 286, total: 4820 },
    },
  ];

  Settings(): Setting[] {
    return this.settings;
  }

  SetSetting(key: string, value: string): Setting[] {
    this.settings = this.settings.map((s) =>
      s.key === key ? { ...s, value, source: 'stored', notice: null } : s,
    );
    return this.settings;
  }

  ResetSetting(key: string): Setting[] {
    this.settings = this.settings.map((s) =>
      s.key === key ? { ...s, value: s.default, source: 'default', notice: null } : s,
    );
    return this.settings;
  }

  Runs(): Run[] {
    return this.runs;
  }

  Connections(): Connection[] {
    return this.connections;
  }

  Calls(): Call[] {
    return this.programs;
  }
}
