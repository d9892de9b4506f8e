/** The same function, except that it never throws: an embedder is told of a failure in the middle of the work that goes on after it. */
export function quiet<Given extends readonly unknown[]>(run: (...given: Given) => unknown): (...given: Given) => void {
  return (...given) => {
    try {
      const told = run(...given)
      if (told instanceof Promise) told.catch(ignore)
    } catch {
      // There is nobody left to tell.
    }
  }
}

function ignore(): void {}
