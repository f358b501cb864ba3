// Errors as they reach a person: a code for programs, a sentence and a way on.

/** The one error that calls reject with. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint: string | null = null,
    readonly reason: string | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** The sentence with its hint. */
  get sentence(): string {
    return this.hint ? `${this.message} ${this.hint}` : this.message;
  }
}

/** Turns whatever a call rejected with into an ApiError. */
export function toApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  if (typeof cause === 'string') return new ApiError('internal', cause);
  if (cause instanceof Error) return new ApiError('internal', cause.message);
  if (typeof cause === 'object' && cause !== null) {
    const { code, message, hint, reason } = cause as Record<string, unknown>;
    if (typeof message === 'string') {
      return new ApiError(text(code) ?? 'internal', message, text(hint), text(reason));
    }
  }
  return new ApiError('internal', String(cause));
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
