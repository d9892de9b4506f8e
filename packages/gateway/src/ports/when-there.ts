/** Uses a value at once, or a promised value when it resolves. */
export function whenThere<T>(value: T | Promise<T>, use: (value: T) => void, fail: (thrown: unknown) => void): void {
  if (value instanceof Promise) void value.then(use).catch(fail)
  else use(value)
}
