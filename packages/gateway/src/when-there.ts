/** Goes on with a value that is there at once, and with a promised one when it comes. */
export function whenThere<T>(value: T | Promise<T>, use: (value: T) => void, fail: (thrown: unknown) => void): void {
  if (value instanceof Promise) void value.then(use).catch(fail)
  else use(value)
}
