// Settings, one row of the settings table each.

export interface Setting {
  key: string;
  type: 'bool' | 'int' | 'float' | 'enum' | 'string' | 'duration';
  value: string;
  default: string;
  options: string[];
  /** Bounds of a number, of a duration in seconds. Both 0: none. */
  min: number;
  max: number;
  /** The word "auto" is a value too. */
  auto: boolean;
  unit: string | null;
  group: string;
  label: string;
  help: string;
  scope: 'next_question' | 'now' | 'reindex';
  source: 'default' | 'stored' | 'environment' | 'conversation' | 'request' | 'invalid';
  /** The variable that sets it. */
  environment: string | null;
  /** A sentence about an ignored or doubtful value. */
  notice: string | null;
}
