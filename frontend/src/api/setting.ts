// Settings, one row of the settings table each.

export interface Setting {
  key: string;
  type: 'bool' | 'int' | 'float' | 'enum' | 'string' | 'duration';
  value: string | number | boolean;
  default: string | number | boolean;
  options?: string[] | null;
  min?: number | null;
  max?: number | null;
  unit?: string | null;
  group: string;
  label: string;
  help: string;
  scope: 'next_question' | 'now' | 'reindex';
  source: 'default' | 'stored' | 'environment' | 'invalid';
  /** The variable that sets it. */
  environment?: string | null;
  /** A sentence about an ignored value. */
  notice?: string | null;
}
