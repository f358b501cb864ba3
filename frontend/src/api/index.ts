// The program behind the window: its calls, its events, its values and errors.
export * from './backend';
export * from './conversation';
export * from './document';
export * from './error';
export * from './host';
export * from './ingest';
export * from './lab';
export * from './library';
export * from './model';
export * from './record';
export * from './setting';
export * from './turn';
export * from './upkeep';
