/** The timer is what a server would be: without it, Node would see that nothing can happen any more. */
export function teardown(): Promise<never> {
  setInterval(() => undefined, 1000)
  return new Promise(() => undefined)
}
