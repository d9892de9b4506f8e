/** A value, or a promise of it if something has to be waited for. */
export type Awaitable<T> = T | Promise<T>

/** Uses a value at once, or a promised value when it resolves. */
export function whenThere<T>(value: Awaitable<T>, use: (value: T) => void, fail: (thrown: unknown) => void): void {
  if (value instanceof Promise) void value.then(use).catch(fail)
  else use(value)
}

/** The result for a value: at once, or for a promised value when it resolves. */
export function chain<T, Result>(value: Awaitable<T>, resultOf: (value: T) => Awaitable<Result>): Awaitable<Result> {
  return value instanceof Promise ? value.then(resultOf) : resultOf(value)
}
