/** What the worker uses of the platform's own module. */
declare module 'cloudflare:workers' {
  /** Keeps the current request alive until a promise is settled, after its answer too. */
  export function waitUntil(promise: Promise<unknown>): void
}
