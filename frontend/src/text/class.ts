// Retention classes by name.
import { m } from '../paraglide/messages';

/** The classes that a person can choose. */
export const classes = ['fact', 'snapshot', 'transient'] as const;

/** Those that something of a class is not. */
export function otherClasses(name: string): string[] {
  return classes.filter((other) => other !== name);
}

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
