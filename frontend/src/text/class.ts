// Retention classes by name.
import { m } from '../paraglide/messages';

export function className(name: string): string {
  switch (name) {
    case 'fact':
      return m.class_fact();
    case 'snapshot':
      return m.class_snapshot();
    case 'transient':
      return m.class_transient();
    default:
      return m.class_unknown();
  }
}
